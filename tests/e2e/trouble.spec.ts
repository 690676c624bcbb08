import { ConnectScreen, RolloutsScreen, TasksScreen, Workbench } from './pages/page';
import { expect, test } from './servers';
import { type Page } from '@playwright/test';

/** Opens the workbench on a server, by the ways a person goes. */
async function workbench(page: Page, address: string): Promise<Workbench> {
  const connect = new ConnectScreen(page);
  await connect.open();
  return connect.openTask(address);
}

// What a server does wrong, and what the person reads.
const endings: [path: string, says: RegExp][] = [
  ['drop-2', /closed the connection/],
  ['drop-3', /closed the connection/],
  ['stop-3', /closed the connection.*1012/],
  ['full', /no free session/],
  ['not-json', /not an OpenEnv frame/],
  ['array', /not an OpenEnv frame/],
  ['echo', /not an OpenEnv frame/],
  ['html', /did not answer/],
  ['refuse', /did not answer/],
  ['reset-fails', /refused/],
  ['bare', /gave no instructions/],
];

for (const [path, says] of endings) {
  test(`a server that misbehaves (${path}) ends the run in words, and the run is kept`, async ({ page, servers }) => {
    const { url } = await servers.fakes();
    const bench = await workbench(page, `${url}${path}`);
    await bench.run.click();
    await expect(bench.agent).toContainText(says, { timeout: 20_000 });
    await expect(bench.agent).toContainText('Transcript and drafts are kept');
    await expect(bench.run).toBeEnabled();
    const rollouts = new RolloutsScreen(page);
    await rollouts.open();
    await expect(rollouts.links).toHaveCount(1);
  });
}

for (const path of ['ok', 'stray', 'huge', 'mcp-only']) {
  test(`an unusual server (${path}) is played to the end`, async ({ page, servers }) => {
    const { url } = await servers.fakes();
    const bench = await workbench(page, `${url}${path}`);
    await bench.run.click();
    await expect(bench.grade).toContainText(/plan submitted|breaks rules|Ended: the model/i, { timeout: 25_000 });
  });
}

test('a server that is not there is named, and the built-in environment is the way on', async ({ page }) => {
  const bench = await workbench(page, 'http://127.0.0.1:9');
  await bench.run.click();
  await expect(bench.agent).toContainText('127.0.0.1:9 did not answer');
});

// Stop, at every moment that a person can meet.
const moments: [path: string, wait: RegExp][] = [
  ['silent', /waiting for/],
  ['silent-1', /waiting for the environment's tools/],
  ['silent-2', /waiting for the answer to/],
  ['slow-5', /waiting for/],
];

for (const [path, wait] of moments) {
  test(`Stop ends a run that waits (${path}), and nothing comes after it`, async ({ page, servers }) => {
    const { url } = await servers.fakes();
    const bench = await workbench(page, `${url}${path}`);
    await bench.run.click();
    await expect(bench.now).toContainText(wait);
    await bench.stop.click();
    await expect(bench.agent).toContainText('Stopped', { timeout: 1_000 });
    const said = await bench.agent.textContent();
    await page.waitForTimeout(500);
    expect(await bench.agent.textContent()).toBe(said);
    await expect(bench.run).toBeEnabled();
  });
}

test('a reload in mid-episode asks first, and the run so far is kept as interrupted', async ({ page, servers }) => {
  const { url } = await servers.fakes();
  const bench = await workbench(page, `${url}silent-2`);
  await bench.run.click();
  await expect(bench.now).toContainText(/waiting for the answer to/);
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    const type = dialog.type();
    await dialog.accept();
    return type;
  });
  await page.reload();
  expect(await asked).toBe('beforeunload');
  await expect(page.getByText(/cut off when the page closed/)).toBeVisible();
  const rollouts = new RolloutsScreen(page);
  await rollouts.open();
  await expect(page.getByText(/cut off when the page closed/)).toBeHidden();
  await expect(rollouts.main).toContainText(/interrupted/i);
  await rollouts.links.first().click();
  await expect(rollouts.main).toContainText(/the page was closed/i);
  await expect(rollouts.main).toContainText('2 of 2 ships placed');
});

test('without storage the run goes on, and the page says that it is not kept', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { get: () => undefined });
  });
  const tasks = new TasksScreen(page);
  await tasks.open();
  await tasks.links.first().click();
  const bench = new Workbench(page);
  await bench.run.click();
  await expect(bench.grade).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(/not kept/i)).toBeVisible();
});

test('the doctor tells the causes apart', async ({ page, servers }) => {
  const good = await servers.berths({ maxSessions: 1 });
  const { url } = await servers.fakes();
  const connect = new ConnectScreen(page);
  await connect.open();

  await connect.test(good.url);
  await expect(connect.finding(/speaks OpenEnv/i)).toContainText(/passed|ok/i, { timeout: 15_000 });

  for (const [address, says] of [
    [`${url}full`, /no free session|full/i],
    [`${url}html`, /no WebSocket|not an OpenEnv/i],
    [`${url}echo`, /what speaks there is not OpenEnv/],
    [`${url}no-tools`, /no tools/i],
    ['http://127.0.0.1:9', /Nothing answers at this address/],
    ["not an address at all", /not an address yet/],
  ] as const) {
    await connect.test(address);
    await expect(connect.main).toContainText(says, { timeout: 20_000 });
  }
});
