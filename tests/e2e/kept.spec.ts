import { ConnectScreen, RolloutsScreen, Workbench } from './pages/page';
import { expect, test } from './servers';
import { type BrowserContext, type Page } from '@playwright/test';
import { readFile, writeFile } from 'node:fs/promises';

type Entry = { id: string; name: string; server: string; saved: number; record: Record<string, unknown> };

/** Rollouts as an export holds them, with fields that the page does not know. */
function entries(): Entry[] {
  const entry = (id: string, day: number, task: string, model: string, reward: number, end: string | null): Entry => ({
    id,
    name: '',
    server: 'builtin',
    saved: 1_900_000_000_000 + day,
    record: {
      model,
      task_id: task,
      episode_id: id,
      started: `2031-01-0${day}T10:00:00Z`,
      messages: [{ role: 'user', content: 'Ships…', mine: { z: 1, a: [1.5, null] } }],
      steps: [],
      final: { submitted: end === 'submitted', plan: null, grade: null },
      reward,
      usage: { input_tokens: 1, output_tokens: 2 },
      turns: day,
      end_reason: end,
      errors: [],
      seconds: 0.5,
      provider: { '2': 'two', '1': 'one', large: 1e21 },
    },
  });
  return [
    entry('aaaaaaaaaaaa', 1, 'quay-storm', 'anthropic:claude', 0.25, 'submitted'),
    entry('bbbbbbbbbbbb', 2, 'quay-calm', 'openai:gpt', 0.75, 'stopped'),
    entry('cccccccccccc', 3, 'quay-calm', 'anthropic:claude', 0.5, null),
  ];
}

async function archive(path: string, rollouts = entries()): Promise<string> {
  await writeFile(path, JSON.stringify({ quayside: 1, rollouts }));
  return path;
}

/** The Rollouts screen with three rollouts on it. */
async function three(page: Page, path: string): Promise<RolloutsScreen> {
  const rollouts = new RolloutsScreen(page);
  await rollouts.open();
  await rollouts.import.setInputFiles(await archive(path));
  await expect(rollouts.links).toHaveCount(3);
  return rollouts;
}

async function exported(rollouts: RolloutsScreen): Promise<string> {
  const download = rollouts.page.waitForEvent('download');
  await rollouts.page.getByRole('button', { name: 'Export everything' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^quayside-rollouts-\d{4}-\d\d-\d\d\.json$/);
  return await readFile(await file.path(), 'utf8');
}

test('the list is filtered, in the address too, and sorted', async ({ page }, info) => {
  const rollouts = await three(page, info.outputPath('all.json'));
  await expect(rollouts.links).toHaveText(['2031-01-03 10:00 UTC', '2031-01-02 10:00 UTC', '2031-01-01 10:00 UTC']);
  await expect(rollouts.main).toContainText(/3 rollouts, .* of about .*\. The browser may clear this when space runs short\./);

  await page.getByRole('button', { name: 'Sort by reward' }).click();
  await page.getByRole('button', { name: 'Sort by reward' }).click();
  await expect(page.getByRole('columnheader', { name: 'Sort by reward' })).toHaveAttribute('aria-sort', 'descending');
  await expect(rollouts.links).toHaveText(['2031-01-02 10:00 UTC', '2031-01-03 10:00 UTC', '2031-01-01 10:00 UTC']);

  await rollouts.filter.pressSequentially('CLAUDE storm');
  await expect(rollouts.links).toHaveText(['2031-01-01 10:00 UTC']);
  expect(new URL(page.url()).hash).toBe('#/rollouts?q=CLAUDE%20storm');
  await page.reload();
  await expect(rollouts.links).toHaveCount(1);
  await expect(rollouts.filter).toHaveValue('CLAUDE storm');

  await rollouts.filter.fill('interrupted');
  await expect(rollouts.links).toHaveText(['2031-01-03 10:00 UTC']);
  await rollouts.filter.fill('nothing like that');
  await expect(rollouts.main).toContainText('No rollout has all of these words.');
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(rollouts.links).toHaveCount(3);
});

test('a rollout gets a name in its place, which is kept and found', async ({ page }, info) => {
  const rollouts = await three(page, info.outputPath('all.json'));
  const name = rollouts.name('2031-01-02 10:00 UTC');
  await name.fill('the calm one');
  await name.press('Enter');
  await page.reload();
  await expect(name).toHaveValue('the calm one');
  await name.fill('not this');
  await name.press('Escape');
  await expect(name).toHaveValue('the calm one');
  await rollouts.filter.fill('calm one');
  await expect(rollouts.links).toHaveText(['2031-01-02 10:00 UTC']);
});

test('what is deleted comes back, one by one or together', async ({ page }, info) => {
  const rollouts = await three(page, info.outputPath('all.json'));
  await rollouts.delete('2031-01-02 10:00 UTC').press('Enter');
  await expect(rollouts.links).toHaveText(['2031-01-03 10:00 UTC', '2031-01-01 10:00 UTC']);
  await expect(page.getByRole('status').filter({ hasText: 'Deleted the rollout of 2031-01-02 10:00 UTC.' })).toBeVisible();
  // The pressed button is gone; the keyboard is where the way back is.
  await expect(rollouts.undo).toBeFocused();
  await rollouts.delete('2031-01-01 10:00 UTC').click();
  await expect(rollouts.links).toHaveCount(1);
  await rollouts.undo.click();
  await expect(rollouts.links).toHaveText(['2031-01-03 10:00 UTC', '2031-01-01 10:00 UTC']);
  await rollouts.delete('2031-01-01 10:00 UTC').click();
  await expect(rollouts.main).toContainText('Deleted 2 rollouts.');
  await page.getByRole('button', { name: 'Undo all' }).click();
  await expect(rollouts.links).toHaveCount(3);
  await expect(rollouts.undo).toHaveCount(0);
  await page.reload();
  await expect(rollouts.links).toHaveCount(3);
});

test('all are deleted after one question, come back, and are gone for good once closed', async ({ page }, info) => {
  const rollouts = await three(page, info.outputPath('all.json'));
  const before = await exported(rollouts);
  const all = page.getByRole('button', { name: 'Delete all', exact: true });
  const sure = page.getByRole('button', { name: 'Really delete all 3 rollouts?' });
  await all.click();
  await expect(sure).toBeVisible();
  await rollouts.filter.click();
  await expect(sure).toBeHidden();
  await all.click();
  await sure.click();
  await expect(rollouts.main).toContainText('Nothing saved yet');
  await rollouts.undo.click();
  await expect(rollouts.links).toHaveCount(3);
  expect(await exported(rollouts)).toBe(before);
  await all.click();
  await sure.click();
  await page.getByRole('button', { name: 'Close, and delete for good' }).click();
  await page.reload();
  await expect(rollouts.main).toContainText('Nothing saved yet');
});

test('everything is exported as one file and imported elsewhere byte for byte', async ({ page, browser, baseURL }, info) => {
  const rollouts = await three(page, info.outputPath('all.json'));
  await rollouts.name('2031-01-01 10:00 UTC').fill('a <b>name</b>');
  await rollouts.name('2031-01-01 10:00 UTC').press('Enter');
  const file = await exported(rollouts);
  const wanted = entries();
  wanted[0]!.name = 'a <b>name</b>';
  const stored = (JSON.parse(file) as { rollouts: Entry[] }).rollouts;
  expect(stored.map((entry) => ({ ...entry, name: entry.name ?? '' }))).toEqual(wanted);

  const elsewhere: BrowserContext = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const there = new RolloutsScreen(await elsewhere.newPage());
  await there.open();
  const path = info.outputPath('exported.json');
  await writeFile(path, file);
  await there.import.setInputFiles(path);
  await expect(there.page.getByText('3 rollouts in the file; 3 kept here now.')).toBeVisible();
  expect(await exported(there)).toBe(file);
  // The same file once more, and one in which a rollout has changed.
  await there.import.setInputFiles(path);
  await expect(there.page.getByText('3 here already, with the same content.')).toBeVisible();
  const changed = entries();
  changed[0]!.record.turns = 9;
  await there.import.setInputFiles(await archive(info.outputPath('changed.json'), changed));
  await expect(there.page.getByText('1 kept under a new id, because another rollout has theirs.')).toBeVisible();
  await expect(there.links).toHaveCount(4);
  await there.import.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') });
  await expect(there.page.getByText(/No rollout was opened\. x\.json/)).toBeVisible();
  await expect(there.links).toHaveCount(4);
  await elsewhere.close();
});

test('two tabs show the same list, and neither calls a run of the other interrupted', async ({ page, context, servers }, info) => {
  const first = await three(page, info.outputPath('all.json'));
  const second = new RolloutsScreen(await context.newPage());
  await second.open();
  await expect(second.links).toHaveCount(3);

  // Deleted, put back and named in one, seen in the other.
  await first.delete('2031-01-02 10:00 UTC').click();
  await expect(second.links).toHaveCount(2);
  await expect(second.undo).toHaveCount(0);
  await first.undo.click();
  await expect(second.links).toHaveCount(3);
  await first.name('2031-01-02 10:00 UTC').fill('told');
  await first.name('2031-01-02 10:00 UTC').press('Enter');
  await expect(second.name('2031-01-02 10:00 UTC')).toHaveValue('told');

  // A run in the first.
  const { url } = await servers.fakes();
  const connect = new ConnectScreen(page);
  await connect.open();
  const bench = await connect.openTask(`${url}silent-2`);
  await bench.run.click();
  await expect(bench.now).toContainText(/waiting for the answer to/);
  const there = second.page.getByRole('row').filter({ hasText: 'Running in another tab' });
  await expect(there).toHaveCount(1);
  await expect(there).toContainText('Stop it there to delete it.');
  await expect(there.getByRole('button')).toHaveCount(0);
  // A page that comes later knows of it too, and does not say that it was cut off.
  await second.page.reload();
  await expect(there).toHaveCount(1);
  const third = await context.newPage();
  await third.goto(page.url());
  await third.waitForTimeout(600);
  await expect(third.getByText(/cut off when the page closed/)).toHaveCount(0);
  await third.close();
  // All but that one are deleted.
  await second.page.getByRole('button', { name: 'Delete all', exact: true }).click();
  await second.page.getByRole('button', { name: 'Really delete all 3 rollouts?' }).click();
  await expect(second.links).toHaveCount(1);
  await bench.stop.click();
  await expect(there).toHaveCount(0);
  await expect(second.main).toContainText('Stopped');
});

test('a rollout that another tab deletes stays whole where it is shown, and says so', async ({ page, context }, info) => {
  const first = await three(page, info.outputPath('all.json'));
  const second = new RolloutsScreen(await context.newPage());
  await second.open();
  await second.links.first().click();
  await expect(second.download).toBeVisible();
  await first.delete('2031-01-03 10:00 UTC').click();
  await expect(second.page.getByText(/deleted in another tab/)).toBeVisible();
  await expect(second.download).toBeVisible();
});

test('a full disk is named, the run goes on, and with room it is kept', async ({ page }, info) => {
  const rollouts = await three(page, info.outputPath('all.json'));
  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put;
    const device = window as unknown as { full: boolean };
    device.full = true;
    IDBObjectStore.prototype.put = function (value: unknown) {
      if (device.full) throw new DOMException('no room', 'QuotaExceededError');
      return put.call(this, value);
    };
  });
  await page.evaluate(() => { location.hash = '#/t/builtin/first'; });
  const bench = new Workbench(page);
  await bench.run.click();
  await expect(bench.grade).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(/not kept on this device: the room that this browser gives the page is used up/)).toBeVisible();
  await rollouts.go('Rollouts');
  await expect(rollouts.links).toHaveCount(3);
  await page.evaluate(() => { (window as unknown as { full: boolean }).full = false; });
  await rollouts.delete('2031-01-01 10:00 UTC').click();
  await expect(page.getByText(/not kept on this device/)).toHaveCount(0);
  await expect(rollouts.links).toHaveCount(3);
  await expect(rollouts.main).toContainText('Planner, no key needed');
});

test('rollouts of an older version of the page are there, and a newer version is left alone', async ({ page }) => {
  const stored = entries();
  // A page of this origin that is not the program.
  await page.route('**/empty.html', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto('./empty.html');
  await page.evaluate(async (rollouts) => {
    const opening = indexedDB.open('quayside', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('rollouts', { keyPath: 'id' });
    await new Promise((done) => (opening.onsuccess = done));
    const writing = opening.result.transaction('rollouts', 'readwrite');
    for (const { id, server, saved, record } of rollouts) {
      writing.objectStore('rollouts').put({ id, server, saved, record });
    }
    await new Promise((done) => (writing.oncomplete = done));
    opening.result.close();
  }, stored);
  const rollouts = new RolloutsScreen(page);
  await rollouts.open();
  await expect(rollouts.links).toHaveCount(3);
  // A tab with a newer page comes.
  await page.evaluate(async () => {
    const opening = indexedDB.open('quayside', 99);
    await new Promise((done) => (opening.onsuccess = done));
    opening.result.close();
  });
  await rollouts.go('Tasks');
  await expect(page.getByText(/last kept by a newer version of this page/)).toBeVisible();
  const left = await page.evaluate(async () => {
    const opening = indexedDB.open('quayside');
    await new Promise((done) => (opening.onsuccess = done));
    const count = opening.result.transaction('rollouts').objectStore('rollouts').count();
    await new Promise((done) => (count.onsuccess = done));
    return [opening.result.version, count.result];
  });
  expect(left).toEqual([99, 3]);
});
