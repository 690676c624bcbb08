import { type Page } from '@playwright/test';
import { episodes } from './cases';
import { type Limits, LABELS, ModelsScreen, openTask, record, RunBar, stage, type Word } from './pages/models';
import { type Workbench } from './pages/page';
import { type Answer, expect, type ModelService, type Script, type Servers, test } from './servers';

// What a model's service does wrong, what the person reads and can do meanwhile, and what is asked of the service.

const stream = { status: 200, content_type: 'text/event-stream' };
const chunk = (choices: object[], more = {}) => `data: ${JSON.stringify({ choices, ...more })}\n\n`;
const word = (content: string) => chunk([{ index: 0, delta: { content }, finish_reason: null }]);
const words = (count: number) => Array.from({ length: count }, (_, at) => word(`word-${at} `)).join('');
const END = `${chunk([{ index: 0, delta: {}, finish_reason: 'stop' }])}${chunk([], { usage: { prompt_tokens: 100, completion_tokens: 20 } })}data: [DONE]\n\n`;

/** The answers of a case whose task the quay knows: a good ending after some trouble. */
const good = (name: string): Answer[] => episodes.get(name)!.model;

interface Setting {
  spec?: string;
  task?: string;
  limits?: Limits;
  key?: string;
}

/** A service with a script, and the workbench before the run. */
async function withScript(page: Page, servers: Servers, script: Script, setting: Setting = {}): Promise<[Workbench, ModelService]> {
  const service = await (await servers.models()).lay(script);
  const bench = await stage(page, {
    server: (await servers.quay()).url,
    task: setting.task ?? 'quay-t2',
    spec: setting.spec ?? 'vllm:loader',
    address: service.base,
    key: setting.key ?? 'any-key',
    limits: setting.limits,
  });
  return [bench, service];
}

/** Until the run has ended; what it came to. */
async function ended(page: Page, bench: Workbench): Promise<any> {
  await expect(page.getByRole('button', { name: 'Download JSON' })).toBeVisible({ timeout: 25_000 });
  await expect(bench.run).toBeVisible();
  return record(page);
}

/** The page has had its turn: whatever came has been heard and painted. */
const settled = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));

// --- waits ---------------------------------------------------------------------------------------------------------

const busy = (after: string): Answer => ({
  status: 429,
  headers: { 'retry-after': after },
  body: JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'Too many requests this minute' } }),
});

test('a 429 is waited out as long as it asks, counted down in view, and the run goes on', async ({ page, servers }) => {
  const answers = [busy('3'), ...good('anthropic-two-drafts')];
  const [bench, service] = await withScript(page, servers, { answers }, { spec: 'anthropic:mock-a', task: 'quay-t1' });
  // A look now and then could miss a second.
  const shown = await bench.now.evaluateHandle((now) => {
    const texts = new Set<string>();
    const look = () => texts.add(now.textContent!);
    new MutationObserver(look).observe(now, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  await bench.run.click();
  expect(await ended(page, bench)).toMatchObject({ end_reason: 'submitted', errors: [] });
  const texts = await shown.evaluate((texts) => [...texts]);
  const waits = texts.flatMap((text) => /asks again in (\d+) s \(try 2 of 5\)/.exec(text)?.[1] ?? []).map(Number);
  // A busy machine may paint a second too late; it never counts up, and never stands still.
  const seconds = [...new Set(waits)];
  expect(seconds.length).toBeGreaterThanOrEqual(2);
  expect(seconds).toEqual([...seconds].sort((a, b) => b - a));
  expect(seconds[0]).toBe(3);
  const [first, second, third] = await service.turns();
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(2990);
  expect(second!.body).toEqual(first!.body);
  expect(third).toBeDefined();
});

test('Stop works during the wait, and nothing is asked after it', async ({ page, servers }) => {
  const answers = [busy('2'), ...good('anthropic-two-drafts')];
  const [bench, service] = await withScript(page, servers, { answers }, { spec: 'anthropic:mock-a', task: 'quay-t1' });
  await page.clock.install();
  await page.clock.resume();
  await bench.run.click();
  await expect(bench.now).toContainText('2 s');
  await bench.stop.click();
  await expect(bench.agent).toContainText('Stopped', { timeout: 1_000 });
  await page.clock.runFor(10_000);
  await settled(page);
  expect(await service.turns()).toHaveLength(1);
  expect(await ended(page, bench)).toMatchObject({ end_reason: 'stopped' });
});

test('a wait that nobody should sit through is not begun', async ({ page, servers }) => {
  const [bench, service] = await withScript(page, servers, { answers: [busy('500')] }, { spec: 'anthropic:mock-a', task: 'quay-t1' });
  await bench.run.click();
  const got = await ended(page, bench);
  expect(got.end_reason).toBe('error');
  expect(got.errors[0]).toMatch(/^rate_limit: /);
  await expect(bench.agent).toContainText('429');
  expect(await service.turns()).toHaveLength(1);
});

test('a gateway that answers with HTML is asked again, and the answer after it is taken', async ({ page, servers }) => {
  const html = '<html><head><title>502 Bad Gateway</title></head><body><script>alert(1)</script></body></html>';
  const answers: Answer[] = [{ status: 502, content_type: 'text/html', body: html }, ...good('chat-cut-off-then-plan')];
  const [bench, service] = await withScript(page, servers, { answers });
  await bench.run.click();
  expect(await ended(page, bench)).toMatchObject({ end_reason: 'submitted', errors: [] });
  expect(await service.turns()).toHaveLength(4);
});

test('a gateway that goes on answering with HTML ends the run in words, without its markup', async ({ page, servers }) => {
  const html = '<html><head><title>502 Bad Gateway</title></head><body><img src=x onerror="document.title=1"></body></html>';
  const answers: Answer[] = [{ status: 502, content_type: 'text/html', body: html, again: true }];
  const [bench, service] = await withScript(page, servers, { answers });
  await bench.run.click();
  const got = await ended(page, bench);
  expect(got.errors[0]).toMatch(/^server: .*502/);
  await expect(bench.agent).toContainText('502');
  await expect(bench.agent.getByRole('img', { includeHidden: true })).toHaveCount(0);
  expect(await page.title()).not.toBe('1');
  expect(await service.turns()).toHaveLength(4);
});

// --- streams -------------------------------------------------------------------------------------------------------

test('a stream that breaks ends the run; what came is seen, nothing of it is kept as a turn', async ({ page, servers }) => {
  const answers: Answer[] = [{ ...stream, body: `${words(3)}${END}`, hold: 3, drop: 3 }];
  const [bench, service] = await withScript(page, servers, { answers });
  await bench.run.click();
  await expect(bench.transcript).toContainText('word-2');
  await service.release();
  const got = await ended(page, bench);
  expect(got).toMatchObject({ end_reason: 'error', turns: 0 });
  expect(got.errors[0]).toMatch(/^network: /);
  expect(got.messages.map(({ role }: any) => role)).toEqual(['system', 'user']);
  // A turn that has begun is not asked for again by itself.
  expect(await service.turns()).toHaveLength(1);
});

test('a stream that ends too early is no turn', async ({ page, servers }) => {
  const [bench, service] = await withScript(page, servers, { answers: [{ ...stream, body: words(3) }] });
  await bench.run.click();
  const got = await ended(page, bench);
  expect(got.errors[0]).toMatch(/^truncated: /);
  expect(await service.turns()).toHaveLength(1);
});

test('Stop ends a run whose service never answers, and the request is given up', async ({ page, servers }) => {
  const [bench, service] = await withScript(page, servers, { answers: [{ silent: true }] });
  await bench.run.click();
  await expect(bench.now).toContainText('waiting for the model');
  // The time so far is told while nothing else can be.
  await expect(bench.now).toContainText(/waiting for the model, \d+ s/, { timeout: 6_000 });
  await bench.stop.click();
  await expect(bench.agent).toContainText('Stopped', { timeout: 1_000 });
  await expect.poll(async () => (await service.turns())[0]!.end).toBe('left');
  expect(await ended(page, bench)).toMatchObject({ end_reason: 'stopped', turns: 0 });
});

test('Stop while the model writes: what comes late changes nothing', async ({ page, servers }) => {
  const answers: Answer[] = [{ ...stream, body: `${words(50)}${END}`, hold: 5, delay: 5 }];
  const [bench, service] = await withScript(page, servers, { answers });
  await bench.run.click();
  await expect(bench.transcript).toContainText('word-4');
  await bench.stop.click();
  await expect(bench.agent).toContainText('Stopped', { timeout: 1_000 });
  const said = await bench.transcript.textContent();
  const got = await ended(page, bench);
  await service.release();
  await expect.poll(async () => (await service.turns())[0]!.end).toBe('left');
  await settled(page);
  expect(await bench.transcript.textContent()).toBe(said);
  expect(said).not.toContain('word-5 ');
  expect(await record(page)).toEqual(got);
  expect(got).toMatchObject({ end_reason: 'stopped', turns: 0 });
  expect(await service.turns()).toHaveLength(1);
});

test('a slow drip of single bytes is a turn like any other', async ({ page, servers }) => {
  const slow = good('chat-cut-off-then-plan').map((answer) => ({ ...answer, piece: 7, delay: 1 }));
  const [bench] = await withScript(page, servers, { answers: slow });
  await bench.run.click();
  expect(await ended(page, bench)).toMatchObject({ end_reason: 'submitted', errors: [], usage: { input_tokens: 360 } });
});

test('a flood of deltas is taken in, and the page can be used meanwhile', async ({ page, servers }) => {
  test.setTimeout(90_000);
  const [bench, service] = await withScript(page, servers, { answers: [{ flood: 50_000 }] }, { limits: { turns: 1, tokens: 200_000 } });
  await bench.run.click();
  const got = await ended(page, bench);
  expect(got).toMatchObject({ end_reason: 'no_tool_call', errors: [], usage: { output_tokens: 50_000 } });
  expect(got.messages.at(-1).content).toMatch(/^word 0 word 1 .* word 49999 $/);
  expect(await service.turns()).toHaveLength(1);
});

// --- no way there --------------------------------------------------------------------------------------------------

for (const service of ['anthropic', 'openai', 'hf', 'vllm', 'litellm', 'ollama', 'llamacpp', 'compatible'] as Word[]) {
  test(`a service that is not there (${service}) is a list of what it can be, with its own switch`, async ({ page }) => {
    const models = new ModelsScreen(page);
    await models.open();
    const card = await models.shown(service);
    const keyed = service !== 'ollama';
    await card.set('http://127.0.0.1:9/v1', keyed ? 'any-key' : undefined);
    // Only a turn tells about a key of the router, and a turn needs a model.
    if (service === 'hf') await card.model.fill('org/model');
    await (keyed ? card.test : card.button('Load the model list')).click();
    await expect(card.status).toContainText('127.0.0.1:9 could not be reached');
    const causes = card.status.getByRole('listitem');
    await expect(causes.filter({ hasText: 'It is not running' })).toBeVisible();
    await expect(causes.filter({ hasText: 'CORS' })).toBeVisible();
    const switches: Partial<Record<Word, string>> = {
      anthropic: 'An organization can forbid calls from a page',
      vllm: '--allowed-origins',
      litellm: 'LITELLM_CORS_ORIGINS',
      ollama: 'OLLAMA_ORIGINS',
      llamacpp: '--jinja',
      compatible: 'Authorization and Content-Type',
    };
    if (switches[service]) await expect(card.status).toContainText(switches[service]);
  });
}

for (const [what, script] of [
  ['lets no page in', { answers: [{ body: '{}', again: true }], cors: 'closed' }],
  ['hides its errors from pages', { answers: [{ status: 500, body: '{}', cors: false, again: true }] }],
  ['hides that the key is wrong', { answers: [], key: 'another' }],
] as [string, Script][]) {
  test(`a service that ${what} ends the run with the causes, after the tries`, async ({ page, servers }) => {
    const [bench] = await withScript(page, servers, script);
    await bench.run.click();
    const got = await ended(page, bench);
    expect(got.end_reason).toBe('error');
    expect(got.errors[0]).toMatch(/^network: /);
    await expect(bench.agent).toContainText(/could not reach 127\.0\.0\.1/);
    await expect(bench.agent).toContainText('--allowed-origins');
  });
}

test('a refused key is told apart from everything else', async ({ page, servers }) => {
  const [bench, service] = await withScript(page, servers, { answers: [], key: 'another' }, { spec: 'openai:mock-o' });
  await bench.run.click();
  const got = await ended(page, bench);
  expect(got.errors[0]).toMatch(/^auth: /);
  await expect(bench.agent).toContainText('401');
  await expect(bench.agent).toContainText('key');
  await expect(bench.agent).toContainText('Models');
  expect(await service.turns()).toHaveLength(1);
});

test('without a key nothing is sent', async ({ page, servers }) => {
  const service = await (await servers.models()).lay({ answers: [] });
  const models = new ModelsScreen(page);
  await models.open();
  await (await models.shown('anthropic')).set(service.base);
  const bench = await openTask(page, (await servers.quay()).url, 'quay-t1');
  await new RunBar(page).choose('anthropic:mock-a');
  await expect(bench.main).toContainText(`key`);
  await bench.run.click();
  await expect(bench.main.getByRole('alert')).toContainText(LABELS.anthropic);
  await settled(page);
  expect(await service.log()).toEqual([]);
});

// --- money and routes ----------------------------------------------------------------------------------------------

test('a spend limit ends the run before the request that could pass it', async ({ page, servers }) => {
  // A model of the price map, at a service of our own. Its first turn says that it cost most of the limit.
  const dear = good('anthropic-two-drafts').map((answer) => ({
    ...answer,
    body: answer.body!.replace(/"input_tokens":\s*\d+/g, '"input_tokens":1000000'),
  }));
  const [bench, service] = await withScript(page, servers, { answers: dear }, {
    spec: 'anthropic:claude-sonnet-5-5',
    task: 'quay-t1',
    limits: { turns: 6, tokens: 2000, dollars: 3 },
  });
  await bench.run.click();
  const got = await ended(page, bench);
  expect(got).toMatchObject({ end_reason: 'spend_limit', turns: 1, final: { submitted: false } });
  expect(await service.turns()).toHaveLength(1);
  await expect(bench.main).toContainText(/\$\d/);
});

test('a spend limit below the first request sends nothing', async ({ page, servers }) => {
  const [bench, service] = await withScript(page, servers, { answers: good('anthropic-two-drafts') }, {
    spec: 'anthropic:claude-sonnet-5-5',
    task: 'quay-t1',
    limits: { tokens: 20_000, dollars: 0.01 },
  });
  await bench.run.click();
  expect(await ended(page, bench)).toMatchObject({ end_reason: 'spend_limit', turns: 0 });
  expect(await service.turns()).toEqual([]);
});

test('a route of hf that fails is left for the next one, for the rest of the run, and the record says so', async ({ page, servers }) => {
  const service_error: Answer = { status: 500, body: JSON.stringify({ error: 'no worker is free' }), again: false };
  // A server error is tried four times before the route is left.
  const answers = [...Array<Answer>(4).fill(service_error), ...good('hf-fallback-last-turn').slice(1)];
  const [bench, service] = await withScript(page, servers, { answers }, { spec: 'hf:acme/loader:one|two', task: 'quay-v1', limits: { turns: 2 } });
  await bench.run.click();
  const got = await ended(page, bench);
  expect(got).toMatchObject({ end_reason: 'submitted', errors: [], model: 'hf:acme/loader:one|two' });
  expect(got.provider_switches).toHaveLength(1);
  expect(got.provider_switches[0]).toMatch(/^acme\/loader:one -> acme\/loader:two \(500: .*no worker is free/);
  const asked = (await service.turns()).map(({ body }) => body.model);
  expect(asked).toEqual([...Array(4).fill('acme/loader:one'), 'acme/loader:two', 'acme/loader:two']);
});

test('a route of hf that is busy is waited for, not left', async ({ page, servers }) => {
  const answers = [{ status: 429, body: '{"error":"busy"}' }, ...good('hf-fallback-last-turn').slice(1)];
  const [bench, service] = await withScript(page, servers, { answers }, { spec: 'hf:acme/loader:one|two', task: 'quay-v1', limits: { turns: 2 } });
  await bench.run.click();
  const got = await ended(page, bench);
  expect(got).toMatchObject({ end_reason: 'submitted', errors: [] });
  expect(got.provider_switches).toBeUndefined();
  expect(new Set((await service.turns()).map(({ body }) => body.model))).toEqual(new Set(['acme/loader:one']));
});
