import { readFile } from 'node:fs/promises';
import { type BrowserContext, type Page } from '@playwright/test';
import { LABELS, ModelsScreen, openTask, record, RunBar, type ServiceCard, type Word } from './pages/models';
import { RolloutsScreen } from './pages/page';
import { expect, type ModelService, type Script, test } from './servers';

// Keys of known value are planted, everything is run, and then every artefact is searched for them. A key may stand in a
// header of a request to the origin that it was typed for, and nowhere else.

// Each has a piece that is in no other text, so that a part of a key is found too.
const KEYS = {
  anthropic: 'sk-ant-PLANTED-ANTHROPIC-7f3a',
  openai: 'sk-proj-PLANTED-OPENAI-91bc',
  hf: 'hf_PLANTED-HF-20de',
  vllm: 'PLANTED-VLLM-55aa',
  openrouter: 'sk-or-PLANTED-OPENROUTER-c0c0',
  litellm: 'sk-PLANTED-LITELLM-1234',
  compatible: 'PLANTED-COMPATIBLE-beef',
} as const satisfies Partial<Record<Word, string>>;
type Keyed = keyof typeof KEYS;
const WORDS = Object.keys(KEYS) as Keyed[];
const PLANTED = /PLANTED/;

/** Everything that leaves the page or that it shows, from the first moment. */
class Watch {
  readonly heard: { where: string; text: string }[] = [];
  /** Requests with a key in them, by origin. */
  readonly carried: { origin: string; header: string; value: string }[] = [];
  #pending: Promise<unknown>[] = [];

  constructor(context: BrowserContext) {
    context.on('console', (message) => this.note('console', message.text()));
    context.on('weberror', (error) => this.note('error', String(error.error().stack ?? error.error())));
    context.on('request', (request) => {
      this.note('address of a request', request.url());
      this.note('body of a request', request.postData() ?? '');
      const { origin } = new URL(request.url());
      // As the network had them, referrer and cookies included.
      const headers = request.allHeaders().then((headers) => {
        for (const [header, value] of Object.entries(headers)) {
          if (PLANTED.test(value)) this.carried.push({ origin, header, value });
        }
      });
      this.#pending.push(headers.catch(() => {}));
    });
    context.on('page', (page) => this.#page(page));
    for (const page of context.pages()) this.#page(page);
  }
  #page(page: Page): void {
    page.on('websocket', (socket) => {
      this.note('address of a socket', socket.url());
      socket.on('framesent', ({ payload }) => this.note('frame', String(payload)));
    });
    page.on('download', (download) => {
      this.note('name of a file', download.suggestedFilename());
      const read = download.path().then(async (path) => this.note('file', await readFile(path, 'utf8')));
      this.#pending.push(read);
    });
    page.on('framenavigated', (frame) => this.note('address of the page', frame.url()));
  }
  note(where: string, text: string): void {
    this.heard.push({ where, text });
  }
  /** What the page shows and holds now. */
  async look(page: Page): Promise<void> {
    this.note('address', page.url());
    this.note('title', await page.title());
    this.note('page', await page.content());
    // Values are no part of the markup.
    this.note('fields', await page.evaluate(() => JSON.stringify([...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value))));
    this.note('storage', await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])));
    this.note('databases', await page.evaluate(databases));
    this.note('caches', await page.evaluate(async () => JSON.stringify(await caches.keys())));
  }
  async done(): Promise<void> {
    await Promise.all(this.#pending);
  }
  /** Places in which a key was seen. */
  get leaks(): string[] {
    return [...new Set(this.heard.filter(({ text }) => PLANTED.test(text)).map(({ where, text }) => `${where}: ${around(text)}`))];
  }
}

const around = (text: string) => text.slice(Math.max(0, text.search(PLANTED) - 60), text.search(PLANTED) + 40);

/** All that IndexedDB holds, as text. */
async function databases(): Promise<string> {
  const whole = <T>(request: IDBRequest<T>) =>
    new Promise<T>((done, failed) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  const all: unknown[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await whole(indexedDB.open(name!));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      all.push(name, store, await whole(objects.getAllKeys()), await whole(objects.getAll()));
    }
    database.close();
  }
  return JSON.stringify(all, (_, value) => {
    if (value instanceof ArrayBuffer) return new TextDecoder().decode(value);
    return ArrayBuffer.isView(value) ? new TextDecoder().decode(value as Uint8Array) : value;
  });
}

/** The card of a service, on the Models screen. */
const card = (page: Page, word: Word): Promise<ServiceCard> => new ModelsScreen(page).shown(word);

/** Types a key into each card, and names a service of its own, at an origin of its own. */
async function plant(page: Page, services: Map<Keyed, ModelService>): Promise<void> {
  await new ModelsScreen(page).open();
  for (const word of WORDS) await (await card(page, word)).set(services.get(word)!.base, KEYS[word]);
}

/** Runs the task with a model, to whatever end. */
async function run(page: Page, quay: string, task: string, spec: string): Promise<any> {
  const bench = await openTask(page, quay, task);
  await new RunBar(page).choose(spec, { turns: 6, tokens: 2000 });
  await bench.run.click();
  await expect(page.getByRole('button', { name: 'Download JSON' })).toBeVisible({ timeout: 20_000 });
  await expect(bench.run).toBeVisible();
  return record(page);
}

const CASES: [Keyed, spec: string, name: string, task: string][] = [
  ['anthropic', 'anthropic:mock-a', 'anthropic-two-drafts', 'quay-t1'],
  ['openai', 'openai:mock-o', 'responses-talk-then-plan', 'quay-t2'],
  ['hf', 'hf:acme/loader:one|two', 'hf-fallback-last-turn', 'quay-v1'],
  ['vllm', 'vllm:loader', 'chat-cut-off-then-plan', 'quay-t2'],
  ['openrouter', 'openrouter:loader', 'chat-broken-call-unknown-tool', 'quay-t2'],
  ['litellm', 'litellm:loader', 'chat-cut-off-then-plan', 'quay-t2'],
  ['compatible', 'compatible:loader', 'chat-broken-call-unknown-tool', 'quay-t2'],
];

test('no key is seen anywhere but in the header of requests to its own origin', async ({ page, context, servers }) => {
  test.setTimeout(180_000);
  const watch = new Watch(context);
  const quay = await servers.quay();
  const services = new Map<Keyed, ModelService>();
  const again = async (word: Keyed, script: Script) => {
    const service = await (await servers.models(word)).lay({ key: KEYS[word], ...script });
    services.set(word, service);
    return service;
  };
  for (const [word, , name] of CASES) await again(word, { case: name });

  await test.step('typed', async () => {
    await plant(page, services);
    await watch.look(page);
  });
  await test.step('tested, and the lists of models loaded', async () => {
    // The turn that the test of hf is would use up its first answer.
    for (const word of WORDS.filter((word) => word !== 'hf')) {
      const service = await card(page, word);
      await service.test.click();
      await expect(service.status).toContainText(/took the key|answered/);
      await service.button('Load the model list').click();
      await expect(service.list.getByRole('listitem')).not.toHaveCount(0);
    }
    await watch.look(page);
  });
  for (const [, spec, , task] of CASES) {
    await test.step(`a good run of ${spec}`, async () => {
      expect(await run(page, quay.url, task, spec)).toMatchObject({ end_reason: 'submitted', errors: [] });
      await watch.look(page);
    });
  }

  // What goes wrong, and what a service says then. One that is careless sends the key back.
  const say = (type: string) => JSON.stringify({ error: { type, message: 'Incorrect API key provided: {key}', code: '{key}' } });
  const events = { status: 200, content_type: 'text/event-stream' };
  const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
  const troubles: [string, Script['answers']][] = [
    ['a refused key, sent back in the answer', [{ status: 401, body: say('invalid_request_error') }]],
    ['a refused request, with the key in a text', [{ status: 400, content_type: 'text/plain', body: 'no: Bearer {key}' }]],
    ['a gateway that prints what it got', [{ status: 502, content_type: 'text/html', body: '<pre>authorization: Bearer {key}</pre>', again: true, headers: { 'x-should-retry': 'false' } }]],
    ['an error inside the stream', [{ ...events, body: `${chunk({ content: 'Well' })}data: ${say('server_error')}\n\n` }]],
    ['a stream that breaks', [{ ...events, body: chunk({ content: 'Well' }).repeat(3), drop: 2 }]],
  ];
  for (const [what, answers] of troubles) {
    await test.step(what, async () => {
      const service = await (await servers.models('compatible')).lay({ answers, cors: 'openai' });
      await new ModelsScreen(page).open();
      // The same origin, so the key is still for it.
      await (await card(page, 'compatible')).set(service.base);
      const got = await run(page, quay.url, 'quay-t2', 'compatible:loader');
      expect(got.end_reason).toBe('error');
      expect(got.errors).toHaveLength(1);
      await watch.look(page);
    });
  }
  await test.step('a wrong key, tested', async () => {
    const service = await (await servers.models('openai')).lay({ answers: [], key: 'another', cors: 'openai' });
    await new ModelsScreen(page).open();
    await (await card(page, 'openai')).set(service.base);
    const openai = await card(page, 'openai');
    await openai.test.click();
    await expect(openai.status).toContainText('401');
    await watch.look(page);
  });
  await test.step('a run that is stopped', async () => {
    const service = await (await servers.models('compatible')).lay({ answers: [{ silent: true }], cors: 'openai' });
    await new ModelsScreen(page).open();
    await (await card(page, 'compatible')).set(service.base);
    const bench = await openTask(page, quay.url, 'quay-t2');
    await new RunBar(page).choose('compatible:loader');
    await bench.run.click();
    await expect(bench.now).toContainText('waiting for the model');
    await bench.stop.click();
    await expect(bench.agent).toContainText('Stopped');
    await record(page);
    await watch.look(page);
  });
  await test.step('the list of rollouts, each rollout and its file', async () => {
    const rollouts = new RolloutsScreen(page);
    await rollouts.open();
    await watch.look(page);
    const count = await rollouts.links.count();
    expect(count).toBe(CASES.length + troubles.length + 1);
    for (let at = 0; at < count; at++) {
      await rollouts.open();
      await rollouts.links.nth(at).click();
      await rollouts.download.click();
      await watch.look(page);
    }
  });
  await test.step('a reload: what was not kept is gone', async () => {
    await new ModelsScreen(page).open();
    await page.reload();
    await watch.look(page);
    const anthropic = await card(page, 'anthropic');
    await anthropic.test.click();
    await expect(anthropic.status).toContainText('No key');
    await watch.look(page);
  });

  await watch.done();
  expect(watch.leaks).toEqual([]);
  // Each key went to its own origin, in one header, and was there used.
  const went = new Map(WORDS.map((word) => [word, [] as string[]]));
  for (const { origin, header, value } of watch.carried) {
    const word = WORDS.find((word) => value.endsWith(KEYS[word]));
    expect(word, `${header} to ${origin}`).toBeDefined();
    expect(origin).toBe(new URL(services.get(word!)!.server).origin);
    expect(['authorization', 'x-api-key']).toContain(header);
    went.get(word!)!.push(origin);
  }
  for (const word of WORDS) expect(went.get(word)!.length, LABELS[word]).toBeGreaterThan(0);
  // The services' own logs say the same: whole requests, as they came over the wire.
  for (const word of WORDS) {
    const { server } = services.get(word)!;
    for (const entry of await (await fetch(`${server}__log`)).json()) {
      const { authorization = '', 'x-api-key': other = '', ...headers } = entry.headers;
      expect(JSON.stringify({ ...entry, headers })).not.toMatch(PLANTED);
      for (const value of [authorization, other]) {
        if (value) expect(value.replace('Bearer ', '')).toBe(KEYS[word]);
      }
      if (entry.method === 'OPTIONS') expect(authorization + other).toBe('');
    }
  }
});

test('a key that is kept by choice lies in one place', async ({ page, context, servers }) => {
  const watch = new Watch(context);
  const service = await (await servers.models('anthropic')).lay({ answers: [], key: KEYS.anthropic, models: [{ id: 'mock-a' }] });
  await new ModelsScreen(page).open();
  await (await card(page, 'anthropic')).set(service.base, KEYS.anthropic);
  await (await card(page, 'anthropic')).keep.check();
  await page.reload();
  const anthropic = await card(page, 'anthropic');
  await anthropic.test.click();
  await expect(anthropic.status).toContainText('took the key');
  await watch.look(page);
  await watch.done();
  expect(watch.leaks).toHaveLength(1);
  expect(watch.leaks[0]).toMatch(/^storage: /);
  await anthropic.button('Forget this key').click();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(PLANTED);
});

test('a service that sends a run on to another origin does not get the key there', async ({ page, servers }) => {
  const [own, other] = [await servers.models('compatible'), await servers.models('other')];
  const trap = await other.lay({ answers: [{ body: '{}', again: true }], cors: 'openai' });
  const service = await own.lay({
    answers: [{ status: 307, headers: { location: `${trap.base}/chat/completions` }, again: true }],
    cors: 'openai',
  });
  const quay = await servers.quay();
  await new ModelsScreen(page).open();
  await (await card(page, 'compatible')).set(service.base, KEYS.compatible);
  const bench = await openTask(page, quay.url, 'quay-t2');
  await new RunBar(page).choose('compatible:loader');
  await bench.run.click();
  await expect.poll(async () => (await service.turns()).length).toBeGreaterThan(0);
  await bench.stop.click();
  await expect(bench.agent).toContainText('Stopped');
  expect(await trap.log()).toEqual([]);
});

test('no address, key or model is taken from a link', async ({ page, servers }) => {
  const trap = await (await servers.models('other')).lay({ answers: [{ body: '{}', again: true }], models: [{ id: 'one' }] });
  const asked = encodeURIComponent(trap.base);
  for (const link of [
    `./?key=${KEYS.openai}&base=${asked}&model=vllm:one#/models`,
    `./#/models?vllm=${asked}&address=${asked}`,
    `./#/models&openai=${asked}&key=${KEYS.openai}`,
    `./#/t/builtin/?model=vllm:one&base=${asked}&key=${KEYS.openai}`,
  ]) {
    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByRole('main')).toBeVisible();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/PLANTED|127\.0\.0\.1/);
  }
  await new ModelsScreen(page).open();
  await expect((await card(page, 'openai')).address).not.toHaveValue(/127\.0\.0\.1/);
  await expect((await card(page, 'vllm')).address).toHaveValue('');
  expect(await trap.log()).toEqual([]);
});
