import { episodes } from './cases';
import { ask, optIn } from './pages/ask';
import { expect, test } from './servers';

// The scripted model services and the quay environment themselves, spoken to from a page of another
// origin: what the other tests rest on.

test.beforeEach(({ page }) => page.goto('./'));

for (const [name, episode] of episodes) {
  test(`the quay answers ${name} as it was recorded`, async ({ page, servers }) => {
    const { url } = await servers.quay();
    const answers = await page.evaluate(
      ([address, frames]) =>
        new Promise<any[]>((done) => {
          const heard: any[] = [];
          const socket = new WebSocket(address);
          socket.onopen = () => socket.send(JSON.stringify(frames[0]));
          socket.onmessage = ({ data }) => {
            heard.push(JSON.parse(data));
            if (heard.length < frames.length) socket.send(JSON.stringify(frames[heard.length]));
            else done(heard);
          };
          socket.onclose = () => done(heard);
        }),
      [`${url.replace('http', 'ws')}ws`, episode.env.map(({ send }) => send)] as const,
    );
    expect(answers).toEqual(episode.env.map(({ answer }) => answer));
  });

  test(`the service answers ${name} as it was recorded, streamed and in one piece`, async ({ page, servers }) => {
    const models = await servers.models();
    for (const stream of [true, false]) {
      const service = await models.lay({ case: name });
      for (const { path, status, body, stream_body } of episode.model) {
        const heard = await ask(page, `${service.base.slice(0, -3)}${path}`, { stream }, path.endsWith('/messages') ? optIn : {});
        expect(heard).toMatchObject({ status, body: (stream && stream_body) || body });
      }
      expect(await service.turns()).toHaveLength(episode.model.length);
    }
  });
}

test('each service lets pages in as the real one does', async ({ page, servers }) => {
  const models = await servers.models();
  const chat = '/chat/completions';
  const again = { answers: [{ body: '{}', headers: { 'retry-after': '7' }, again: true }] };
  const key = { authorization: 'Bearer a' };
  const here = new URL(page.url()).hostname;
  expect(here).toBe('127.0.0.1');

  // Anthropic: only with its header, and then everything can be read.
  const anthropic = await models.lay(again);
  expect(await ask(page, `${anthropic.base}/messages`, {}, key)).toEqual({ error: 'TypeError' });
  const let_in = await ask(page, `${anthropic.base}/messages`, {}, { ...key, ...optIn });
  expect(let_in).toMatchObject({ status: 200, headers: { 'retry-after': '7' } });

  // OpenAI: these two headers pass, no others; the wait can not be read.
  const openai = await models.lay(again);
  const read = await ask(page, `${openai.base}/responses`, {}, key);
  expect(read.status).toBe(200);
  expect(read.headers).not.toHaveProperty('retry-after');
  expect(await ask(page, `${openai.base}/responses`, {}, { ...key, 'x-stainless-lang': 'js' })).toEqual({ error: 'TypeError' });

  // vLLM: any header, but a wrong key looks like no answer at all.
  const vllm = await models.lay({ ...again, key: 'a' });
  expect(await ask(page, `${vllm.base}${chat}`, {}, { ...key, 'x-any': '1' })).toMatchObject({ status: 200 });
  expect(await ask(page, `${vllm.base}${chat}`, {}, { authorization: 'Bearer b' })).toEqual({ error: 'TypeError' });

  // Ollama: this machine's pages, and its list of headers.
  const ollama = await models.lay({ ...again, cors: 'ollama' });
  expect(await ask(page, `${ollama.base}${chat}`, {}, key)).toMatchObject({ status: 200 });
  expect(await ask(page, `${ollama.base}/messages`, {}, optIn)).toEqual({ error: 'TypeError' });

  const closed = await models.lay({ ...again, cors: 'closed' });
  expect(await ask(page, `${closed.base}${chat}`, {})).toEqual({ error: 'TypeError' });
  expect(await closed.turns()).toEqual([]);
});

test('a list of models is given to a good key only', async ({ page, servers }) => {
  const models = await servers.models();
  const service = await models.lay({ answers: [], cors: 'openai', key: 'good', models: [{ id: 'one' }] });
  const list = (key: string) => ask(page, `${service.base}/models`, undefined, { authorization: `Bearer ${key}` });
  expect(JSON.parse((await list('good')).body!).data).toEqual([{ id: 'one' }]);
  expect(await list('bad')).toMatchObject({ status: 401 });
});

test('a service in trouble does what its script says', async ({ page, servers }) => {
  const events = 'data: 1\n\ndata: 2\n\ndata: 3\n\n';
  const content_type = 'text/event-stream';
  const service = await (await servers.models()).lay({
    answers: [
      { status: 502, content_type: 'text/html', body: '<h1>Bad gateway</h1>' },
      { content_type, body: events, hold: 2, drop: 2 },
      { drop: 0 },
      { silent: true },
      { status: 500, body: '{}', cors: false },
      { content_type, body: events, delay: 20 },
      { content_type, body: events, piece: 4 },
      { content_type, body: events, hold: 1 },
    ],
  });
  const chat = () => ask(page, `${service.base}/chat/completions`, {});
  expect(await chat()).toMatchObject({ status: 502, body: '<h1>Bad gateway</h1>' });
  const dropped = chat();
  await expect.poll(async () => (await service.turns()).at(-1)!.chunks).toBe(2);
  await service.release();
  expect(await dropped).toMatchObject({ status: 200, error: 'TypeError' });
  expect(await chat()).toEqual({ error: 'TypeError' });
  expect(await ask(page, `${service.base}/chat/completions`, {}, {}, 200)).toEqual({ error: 'TimeoutError' });
  await expect.poll(async () => (await service.turns()).at(-1)!.end).toBe('left');
  expect(await chat()).toEqual({ error: 'TypeError' });
  expect(await chat()).toMatchObject({ body: events });
  expect(await chat()).toMatchObject({ body: events });
  const held = chat();
  await expect.poll(async () => (await service.turns()).at(-1)!.chunks).toBe(1);
  await service.release();
  expect(await held).toMatchObject({ body: events });
  const turns = await service.turns();
  // What it may not read, the browser may leave before the end.
  const unread = expect.stringMatching(/whole|left/);
  expect(turns.map(({ end }) => end)).toEqual(['whole', 'dropped', 'dropped', 'left', unread, 'whole', 'whole', 'whole']);
  expect(turns.map(({ chunks }) => chunks)).toEqual([1, 2, 0, 0, 1, 3, 7, 3]);
});

test('a flood is a whole turn of each API', async ({ page, servers }) => {
  const models = await servers.models();
  for (const path of ['messages', 'responses', 'chat/completions']) {
    const service = await models.lay({ answers: [{ flood: 1000 }] });
    const { body } = await ask(page, `${service.base}/${path}`, { stream: true }, path === 'messages' ? optIn : {});
    expect(body!.match(/word \d+ /g)!.length).toBeGreaterThanOrEqual(1000);
    expect(body).toMatch(/message_stop|response\.completed|\[DONE\]/);
  }
});
