import { episodes } from './cases';
import { ModelsScreen, RunBar } from './pages/models';
import { StartScreen } from './pages/page';
import { expect, test } from './servers';

// What the page does not begin with comes in files of its own (scripts/parts.py), when it is needed.

/** Parts are the program files that are not the one that the page begins with. */
const PART = /\/(?!quayside-)[\w-]+\.wasm$/;
const FAILED = /part of this page did not come/;

test('the demonstration needs no part, and the other screens come once it is over', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => void (PART.test(request.url()) && asked.push(request.url())));
  const start = new StartScreen(page);
  await start.open();
  await expect(start.gradeCard).toContainText('The grade appears here');
  expect(asked).toEqual([]);
  await expect(start.gradeCard).toContainText(/recomputed here/i);
  await expect.poll(() => asked.some((url) => url.includes('/screens-'))).toBe(true);
  expect(asked.filter((url) => url.includes('/models-'))).toEqual([]);
});

test('a screen whose part does not come says so, and is there after another try', async ({ page }) => {
  await page.route(PART, (route) => route.abort());
  await page.goto('./#/tasks');
  await expect(page.getByRole('alert')).toContainText(FAILED);
  await page.unroute(PART);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible();
});

test('a part that was replaced by a newer page is told apart from a program', async ({ page }) => {
  // A static host answers with its page for what is not there.
  await page.route(PART, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Not here</h1>' }));
  await page.goto('./#/connect');
  await expect(page.getByRole('alert')).toContainText(FAILED);
  await expect(page.getByRole('heading', { name: 'Not here' })).toHaveCount(0);
});

test('while a screen is on its way the page says so, and another one can be opened', async ({ page }) => {
  let go = () => {};
  const held = new Promise<void>((done) => (go = done));
  await page.route(PART, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('./#/rollouts');
  await expect(page.getByText('This screen is on its way.')).toBeVisible();
  await page.getByRole('link', { name: 'Tasks', exact: true }).click();
  go();
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible();
});

test('a run waits for the part that asks its model; without it nothing is sent, and the next try runs', async ({ page, servers }) => {
  const { model } = episodes.get('anthropic-two-drafts')!;
  const service = await (await servers.models()).lay({ answers: model });
  const models = new ModelsScreen(page);
  await models.open();
  await (await models.shown('anthropic')).set(service.base, 'any-key');
  await (await models.shown('anthropic')).keep.check();
  await page.goto('./#/t/builtin/busy-01');
  await page.reload();

  let go = () => {};
  const held = new Promise<void>((done) => (go = done));
  await page.route(PART, async (route) => {
    await held;
    await route.abort();
  });
  await new RunBar(page).choose('anthropic:mock-a');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('The run begins by itself.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  go();
  await expect(page.getByText(FAILED)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  expect((await service.turns()).length).toBe(0);

  await page.unroute(PART);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Download JSON' })).toBeVisible();
  expect((await service.turns()).length).toBeGreaterThan(0);
});
