import { readFile } from 'node:fs/promises';
import { type Page } from '@playwright/test';
import { ConnectScreen, RolloutsScreen, TasksScreen, Workbench } from './pages/page';
import { expect, test } from './servers';

/** The record that "Download JSON" gives. */
async function record(page: Page): Promise<any> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download JSON' }).click(),
  ]);
  return JSON.parse(await readFile(await download.path(), 'utf8'));
}

async function firstTask(page: Page): Promise<string> {
  const tasks = new TasksScreen(page);
  await tasks.open();
  return (await tasks.links.first().textContent())!.trim();
}

test('a built-in task runs from the button to the record', async ({ page }) => {
  const bench = new Workbench(page);
  const task = await firstTask(page);
  await bench.open(task);
  await bench.run.click();
  await expect(bench.grade).toBeVisible({ timeout: 20_000 });
  await expect(bench.grade).toContainText('Feasible plan submitted');

  const got = await record(page);
  expect(got).toMatchObject({
    model: 'demo:planner',
    task_id: task,
    end_reason: 'submitted',
    errors: [],
    final: { submitted: true, grade: { feasible: true } },
  });
  expect(got.episode_id).toMatch(/^[0-9a-f]{12}$/);
  expect(got.reward).toBeGreaterThan(0.9);
  expect(got.reward).toBeLessThanOrEqual(1);
  expect(got.messages.slice(0, 2).map((message: any) => message.role)).toEqual(['system', 'user']);
  expect(got.steps.at(-1).tool).toBe('submit_plan');
  expect(got.steps.length).toBeGreaterThanOrEqual(2);

  // Kept on this device, under the same id.
  const rollouts = new RolloutsScreen(page);
  await rollouts.open();
  await rollouts.links.first().click();
  await expect(page).toHaveURL(new RegExp(`rollouts/${got.episode_id}`));
  await expect(page.getByText(/recomputed here/i).first()).toBeVisible();
  expect(await record(page)).toEqual(got);
});

for (const version of ['current', 'oldest'] as const) {
  test(`the planner plays a whole episode on a real OpenEnv server (${version})`, async ({ page, servers }) => {
    const { url } = await servers.berths({ version });
    const connect = new ConnectScreen(page);
    await connect.open();
    const bench = await connect.openTask(url);
    await bench.run.click();
    await expect(bench.grade).toContainText('plan submitted', { timeout: 30_000 });
    await expect(bench.chart).toBeVisible();
    const got = await record(page);
    expect(got.end_reason).toBe('submitted');
    expect(got.final.grade.feasible).toBe(true);
    expect(got.reward).toBeGreaterThan(0.9);
    // The draft that the page checked by itself is what the server found.
    await expect(bench.main).not.toContainText('This page finds otherwise');
  });
}

test('why a server of another origin lists no tasks is said, and a task id still opens', async ({ page, servers }) => {
  const { url } = await servers.berths();
  const connect = new ConnectScreen(page);
  await connect.open();
  await connect.use(url);
  await page.getByRole('link', { name: 'Its tasks' }).click();
  await expect(connect.main).toContainText('lists no tasks to a page from another site');
  await page.getByRole('textbox', { name: 'Task id on the server' }).fill('storm-01');
  await page.keyboard.press('Enter');
  const bench = new Workbench(page);
  await bench.run.click();
  await expect(bench.grade).toContainText('plan submitted', { timeout: 30_000 });
  expect((await record(page)).task_id).toBe('storm-01');
});

test('the task list of a server on the same origin can be read', async ({ page, servers }) => {
  const { url } = await servers.berths({ page: '../../dist' });
  await page.goto(`${url}#/connect`);
  const connect = new ConnectScreen(page);
  await connect.use(url);
  await page.getByRole('link', { name: 'Its tasks' }).click();
  const tasks = new TasksScreen(page);
  await expect.poll(() => tasks.links.count()).toBeGreaterThan(0);
  await tasks.links.first().click();
  const bench = new Workbench(page);
  await bench.run.click();
  await expect(bench.grade).toContainText('plan submitted', { timeout: 30_000 });
});

test('an environment that gives no prompt lets the person type one', async ({ page, servers }) => {
  const { url } = await servers.berths({ promptMissing: true });
  const connect = new ConnectScreen(page);
  await connect.open();
  const bench = await connect.openTask(url);
  await bench.run.click();
  await expect(bench.agent).toContainText('gave no instructions');
  const prompt = page.getByRole('textbox', { name: /^Instructions/ });
  await expect(prompt).toBeVisible();
  await prompt.fill('Plan the berths. Ask get_situation for the task, check drafts, submit the best plan.');
  await bench.run.click();
  await expect(bench.grade).toContainText('plan submitted', { timeout: 30_000 });
});

test('a link that names a server connects to nothing before a click', async ({ page, servers }) => {
  const { url } = await servers.berths();
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  const ws = `${url.replace('http', 'ws')}ws`;
  await page.goto(`./#/t/${encodeURIComponent(ws)}/`);
  await expect(page.getByText(/This link wants to use/)).toBeVisible();
  await page.waitForTimeout(300);
  expect(sockets).toEqual([]);
  await page.getByRole('button', { name: 'Use this server' }).click();
  const bench = new Workbench(page);
  await bench.run.click();
  await expect(bench.grade).toContainText('plan submitted', { timeout: 30_000 });
});

test('the transcript follows its end, keeps what was opened, and lets the reader go', async ({ page, servers }) => {
  const { url } = await servers.fakes();
  const connect = new ConnectScreen(page);
  await connect.open();
  const bench = await connect.openTask(`${url}slow-1`);
  await bench.run.click();
  const fold = bench.transcript.getByRole('group').filter({ hasText: 'Instructions' }).first();
  await fold.locator('summary').click();
  await expect(bench.grade).toBeVisible({ timeout: 25_000 });
  await expect(fold).toHaveAttribute('open', '');
  const toEnd = () => bench.transcript.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
  await expect.poll(toEnd).toBeLessThan(12);
  await page.keyboard.press('k');
  await expect(bench.transcript.locator(':focus')).toHaveCount(1);
});

test('a run that goes on is listed as running, and its rollout is brought up to date when it ends', async ({ page, servers }) => {
  const { url } = await servers.fakes();
  const connect = new ConnectScreen(page);
  await connect.open();
  const bench = await connect.openTask(`${url}slow-1`);
  await bench.run.click();
  await expect(bench.now).toContainText(/waiting for/);
  const rollouts = new RolloutsScreen(page);
  await rollouts.go('Rollouts');
  await expect(rollouts.main).toContainText('Running');
  await expect(rollouts.main).toContainText('Plan submitted', { timeout: 25_000 });
});
