import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { StartScreen, Workbench } from './pages/page';

// A rollout leaves by link, copy and file, and comes back on a page that knows nothing of it.

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this run' });
const link = (page: Page) => dialog(page).getByRole('textbox', { name: 'Link' });
const grade = (page: Page) => page.getByText(/Grade recomputed here/);
const stepper = (page: Page) => page.getByRole('slider', { name: /^Message of the run/ });

/** The finished demonstration, with the dialog open. */
async function shareDemo(page: Page): Promise<string> {
  const start = new StartScreen(page);
  await start.open();
  await expect(start.gradeCard).toContainText(/recomputed here/i);
  await start.button('Share this run').click();
  await expect(link(page)).toHaveValue(/#\/r\/1w/);
  return link(page).inputValue();
}

test('a run is shared by link and opens elsewhere without a server, its grade recomputed', async ({ page, browser }) => {
  const url = await shareDemo(page);
  await expect(dialog(page).getByRole('status')).toContainText(/characters, fits Discord/);
  await expect(dialog(page)).toContainText('Not included: reasoning, tool outputs');
  expect(url.length).toBeLessThan(1_900);

  const other = await (await browser.newContext()).newPage();
  const asked: string[] = [];
  other.on('request', (request) => asked.push(new URL(request.url()).origin));
  await other.goto(url);
  await expect(grade(other)).toContainText('same as claimed');
  await expect(other.getByText(/Plans and grade are recomputed in this browser/)).toBeVisible();
  expect(new Set(asked)).toEqual(new Set([new URL(url).origin]));
  await other.context().close();
});

test('ticks change the link, and plans alone are shortest', async ({ page }) => {
  const words = await shareDemo(page);
  await dialog(page).getByRole('checkbox', { name: 'Reasoning' }).check();
  await expect(link(page)).not.toHaveValue(words);
  const reasoning = await link(page).inputValue();
  expect(reasoning.length).toBeGreaterThan(words.length);
  await dialog(page).getByRole('checkbox', { name: 'Reasoning' }).uncheck();
  await dialog(page).getByRole('checkbox', { name: "Model's words" }).uncheck();
  await expect(link(page)).toHaveValue(/#\/r\/1p/);
  expect((await link(page).inputValue()).length).toBeLessThan(words.length / 2);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
});

test('the link is copied, also as Markdown, and a page without a clipboard says so', async ({ page, context, browser, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const url = await shareDemo(page);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await dialog(page).getByRole('button', { name: 'Copy link' }).click();
  await expect(dialog(page)).toContainText('Copied.');
  expect(await clipboard()).toBe(url);
  await dialog(page).getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect.poll(clipboard).toMatch(/^\[.+ by .+, reward 1\.000\]\(http/);

  const without = await (await browser.newContext({ baseURL })).newPage();
  await without.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await shareDemo(without);
  await dialog(without).getByRole('button', { name: 'Copy link' }).click();
  await expect(dialog(without)).toContainText('Select the link and copy it');
  await without.context().close();
});

test('a link that a chat cut, or that was damaged, says so', async ({ page }) => {
  const url = await shareDemo(page);
  const code = url.split('#')[1];
  for (const [fragment, words] of [
    [code.slice(0, -20), /ends early/],
    [code.replace('1wd.', '1wd.x'), /damaged/],
    [code.replace('/1wd.', '/7wd.'), /newer|version/],
    ['/r/', /link/],
  ] as const) {
    await page.goto(`./?${Math.random()}#${fragment}`);
    await expect(page.getByRole('alert')).toContainText(words);
  }
});

test('a shared rollout is kept when asked to, and then has an address of its own', async ({ page }) => {
  await page.goto(await shareDemo(page));
  await expect(grade(page)).toBeVisible();
  await page.getByRole('button', { name: 'Keep on this device' }).click();
  await expect(page).toHaveURL(/#\/rollouts\/[0-9a-f]{12}$/);
  await page.reload();
  await expect(grade(page)).toContainText('same as claimed');
});

test('a rollout is replayed by message and by draft, and the address tells where', async ({ page }) => {
  await page.goto(await shareDemo(page));
  await expect(stepper(page)).toHaveValue('5');
  await page.getByRole('button', { name: 'Previous message' }).click();
  await page.getByRole('button', { name: 'Previous message' }).click();
  await expect(stepper(page)).toHaveValue('3');
  // The chart shows the plan that stood then, the words that came later are faint.
  await expect(page.getByRole('heading', { name: 'Draft 1' }).or(page.getByText('Draft 1', { exact: true })).first()).toBeVisible();
  await expect(page.getByRole('article', { name: 'Turn 1' })).toHaveAttribute('aria-current', 'step');
  await expect(page.getByRole('article', { name: 'Turn 3' })).toHaveAttribute('data-later', '');
  await expect(page).toHaveURL(/&m=3$/);
  await page.getByRole('button', { name: 'Next draft' }).click();
  await expect(stepper(page)).toHaveValue('4');
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/&d=2&v=diff$/);

  // The same address shows the same on a fresh page.
  await page.reload();
  await expect(stepper(page)).toHaveValue('4');
  await expect(page.getByRole('button', { name: 'Difference' })).toHaveAttribute('aria-pressed', 'true');
  // An address with another look is followed.
  await page.goto(page.url().replace('&d=2&v=diff', '&m=1&h=60'));
  await expect(stepper(page)).toHaveValue('1');
  await expect(page.getByRole('slider', { name: /hour/i })).toHaveValue('60');
});

test('the messages play by themselves and hold', async ({ page }) => {
  await page.goto(await shareDemo(page));
  await expect(stepper(page)).toHaveValue('5');
  await page.getByRole('button', { name: 'Play the messages' }).click();
  await expect(stepper(page)).toHaveValue('2');
  await page.getByRole('button', { name: 'Hold' }).click();
  await expect(page.getByRole('button', { name: 'Play the messages' })).toBeVisible();
});

test('messages are walked with j and k, and the chart follows', async ({ page }) => {
  await page.goto(await shareDemo(page));
  await expect(stepper(page)).toHaveValue('5');
  await page.keyboard.press('j');
  await expect(stepper(page)).toHaveValue('1');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(stepper(page)).toHaveValue('3');
  await page.keyboard.press('k');
  await expect(stepper(page)).toHaveValue('2');
});

/** The record of a finished run of the planner. */
async function record(page: Page): Promise<any> {
  const bench = new Workbench(page);
  await bench.open('busy-01');
  await bench.run.click();
  await expect(bench.grade).toBeVisible({ timeout: 20_000 });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download JSON' }).click(),
  ]);
  return JSON.parse(await readFile(await download.path(), 'utf8'));
}

test('files are opened by drop and by paste, packed or not', async ({ page, browser, baseURL }) => {
  const one = await record(page);
  const fresh = await (await browser.newContext({ baseURL })).newPage();
  await fresh.goto('./#/rollouts');
  await expect(fresh.getByText('Nothing saved yet')).toBeVisible();
  const drop = (name: string, bytes: Buffer) =>
    fresh.evaluate(
      ([name, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], name));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [name, bytes.toString('base64')],
    );
  await drop('run.json.gz', gzipSync(JSON.stringify(one)));
  await expect(grade(fresh)).toContainText('same as claimed');

  const [two, three] = ['00000000000a', '00000000000b'].map((episode_id) => JSON.stringify({ ...one, episode_id }));
  await drop('more.jsonl', Buffer.from(`${two}\n${three}\nnot json\n`));
  await expect(fresh.getByText(/2 rollouts in the file; 2 kept here now/)).toContainText('more.jsonl');

  await fresh.goto('./#/');
  await fresh.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, JSON.stringify({ ...one, episode_id: '00000000000c', reward: 0.123 }));
  await expect(fresh.getByText(/recomputed here/i).first()).toContainText(/claimed/);
  await expect(fresh).toHaveURL(/rollouts\/00000000000c/);
  await fresh.context().close();
});

test('a rollout is saved in other forms', async ({ page }) => {
  await page.goto(await shareDemo(page));
  await page.getByText('Other formats').click();
  for (const [name, file, start] of [
    ['Report as Markdown', /\.md$/, '#'],
    ['Final plan as CSV', /\.csv$/, 'ship'],
    ['Trajectory as ATIF', /\.atif\.json$/, '{'],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    expect(download.suggestedFilename()).toMatch(file);
    expect((await readFile(await download.path(), 'utf8')).toLowerCase().startsWith(start)).toBe(true);
  }
});

/** A host of files that lets pages of other sites read them. */
async function host(files: Record<string, Buffer>): Promise<{ url: string; asked: string[]; close(): void }> {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(`${request.url} ${request.headers.referer ?? ''}${request.headers.cookie ?? ''}`);
    const file = files[request.url ?? ''];
    answer.writeHead(file ? 200 : 404, { 'access-control-allow-origin': '*', ...(request.url?.endsWith('.html') && { 'content-type': 'text/html' }) }).end(file);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
}

test('a file elsewhere is fetched after a click only, and must be the one that the link means', async ({ page }) => {
  const one = await record(page);
  const lines = Buffer.from(`${JSON.stringify({ ...one, task_id: 'other' })}\n${JSON.stringify(one)}\n`);
  const files = await host({ '/run.jsonl': lines });
  const sha256 = createHash('sha256').update(lines).digest('base64url');
  const open = (more: string) => page.goto(`./?${Math.random()}#/r?src=${encodeURIComponent(`${files.url}/run.jsonl`)}${more}`);
  await open(`&sha256=${sha256}&i=1`);
  const button = page.getByRole('button', { name: `Fetch from ${files.url}` });
  await expect(button).toBeVisible();
  expect(files.asked).toEqual([]);
  await button.click();
  await expect(grade(page)).toContainText('same as claimed');
  expect(files.asked).toEqual(['/run.jsonl ']);

  await open(`&sha256=${sha256.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`);
  await button.click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.goto(`./?x#/r?src=${encodeURIComponent(`${files.url}/none.json`)}`);
  await button.click();
  await expect(page.getByRole('alert')).toContainText('answered 404');
  files.close();
  await open('');
  await button.click();
  await expect(page.getByRole('alert')).toContainText('gave this page no answer');
});

test('the page that embeds this one hands a rollout over; others are not heard', async ({ page, baseURL }) => {
  const one = await record(page);
  const frame = `<iframe title="Quayside" src="${baseURL}?embed=1" style="width:1000px;height:800px"></iframe>`;
  const lab = await host({ '/lab.html': Buffer.from(`<!doctype html><title>Lab</title>${frame}`) });
  await page.goto(`${lab.url}/lab.html`);
  const inside = page.frameLocator('iframe');
  await expect(inside.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(inside.getByRole('banner')).toBeHidden();
  await page.evaluate(async (text) => {
    const frame = document.querySelector('iframe')!.contentWindow!;
    await new Promise<void>((done) => {
      const asking = setInterval(() => frame.postMessage({ quayside: 'ping' }, '*'), 50);
      addEventListener('message', ({ data }) => {
        if (data.quayside !== 'pong') return;
        clearInterval(asking);
        done();
      });
    });
    frame.postMessage({ quayside: 'open', name: 'mine', text }, '*');
  }, JSON.stringify(one));
  await expect(inside.getByText(/Grade recomputed here/)).toContainText('same as claimed');
  lab.close();
  // A message of the page to itself is none of another page.
  await page.goto('./');
  await page.evaluate((text) => postMessage({ quayside: 'open', name: 'x', text }, '*'), JSON.stringify(one));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('A week of ships');
});

test('nothing that a link or a file says becomes part of the page', async ({ page }) => {
  const evil = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>[a](javascript:window.hit=1) ![b](http://127.0.0.1:9/x.png)';
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const hostile = {
    model: evil,
    task_id: evil,
    episode_id: '../<b>x',
    started: evil,
    reward: '1e309',
    messages: [
      { role: 'system', content: evil },
      { role: 'user', content: evil },
      { role: 'assistant', content: evil, reasoning: evil, stop: evil, tool_calls: [{ id: evil, name: evil, arguments: evil }] },
      { role: 'tool', tool_call_id: evil, name: evil, content: evil },
      { role: evil, content: evil },
    ],
    steps: [{ turn: -5, tool: evil, plan: evil, result: evil }],
    final: { submitted: true, plan: [evil], grade: evil },
    end_reason: evil,
    errors: [evil],
  };
  await page.goto('./');
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, JSON.stringify(hostile));
  await expect(page.getByRole('heading', { level: 1, name: /^Rollout/ })).toBeVisible();
  await expect(page.getByRole('article', { name: 'Turn 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(dialog(page)).toBeVisible();
  expect(await page.evaluate(() => (window as any).hit)).toBeUndefined();
  expect(await page.locator('main img, main script, a[href^="javascript"]').count()).toBe(0);
  expect(asked.filter((url) => url.includes(':9/'))).toEqual([]);
});
