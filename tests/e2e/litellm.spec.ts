import { ask, optIn } from './pages/ask';
import { ModelsScreen, record, stage } from './pages/models';
import { expect, test } from './servers';

// A real LiteLLM proxy from PyPI. It asks a scripted service for chat completions, and gives the answers in the form of
// whichever of its three endpoints was asked. It takes seconds to start, so one worker does all of this file.
test.describe.configure({ mode: 'default', timeout: 120_000 });

const KEY = 'sk-quay';

test('the proxy translates for its three endpoints', async ({ page, servers }) => {
  await page.goto('./');
  const proxy = await servers.litellm();
  const key = { authorization: `Bearer ${KEY}` };
  const asks = {
    messages: { model: 'loader', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Plan.' }] },
    responses: { model: 'loader', stream: true, store: false, input: [{ role: 'user', content: 'Plan.' }] },
    'chat/completions': { model: 'loader', stream: true, messages: [{ role: 'user', content: 'Plan.' }] },
  };
  for (const [path, body] of Object.entries(asks)) {
    const upstream = await proxy.script({ case: 'chat-broken-call-unknown-tool' });
    const heard = await ask(page, `${proxy.url}v1/${path}`, body, { ...key, ...(path === 'messages' ? optIn : {}) });
    expect(heard).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/event-stream') } });
    expect(heard.body).toContain('berth_list');
    expect((await upstream.turns()).map((turn) => turn.path)).toEqual(['/v1/chat/completions']);
  }
  // Without a database it knows one key, and says of any other that the database is missing.
  const bad = { authorization: 'Bearer b' };
  expect(await ask(page, `${proxy.url}v1/chat/completions`, asks['chat/completions'], bad)).toMatchObject({ status: 400 });
  const list = await ask(page, `${proxy.url}v1/models`, undefined, key);
  expect(JSON.parse(list.body!).data.map(({ id }: { id: string }) => id)).toEqual(['said', 'loader']);
});

// The same episode in three forms. Only the address and the form differ; the words, the calls and the grade do not.
for (const [form, spec] of [
  ['messages', 'anthropic:loader'],
  ['responses', 'openai:loader'],
  ['chat/completions', 'litellm:loader'],
] as const) {
  test(`an episode is played over the proxy's /v1/${form}`, async ({ page, servers }) => {
    const proxy = await servers.litellm();
    const upstream = await proxy.script({ case: 'chat-broken-call-unknown-tool' });
    const quay = await servers.quay();
    const seen: string[] = [];
    page.on('request', (request) => request.url().startsWith(proxy.url) && seen.push(new URL(request.url()).pathname));
    const bench = await stage(page, {
      server: quay.url,
      task: 'quay-t2',
      spec,
      address: `${proxy.url}v1`,
      key: KEY,
      limits: { turns: 6, tokens: 2000, minutes: 2 },
    });
    await bench.run.click();
    await expect(bench.grade).toContainText('Submitted', { timeout: 60_000 });
    const got = await record(page);
    expect(got).toMatchObject({ model: spec, end_reason: 'submitted', errors: [], turns: 2 });
    expect(got.steps.map(({ tool }: any) => tool)).toEqual(['submit_plan']);
    expect(got.messages.filter(({ role }: any) => role === 'assistant').map(({ content }: any) => content)).toEqual([
      'Two at once.',
      '',
    ]);
    expect(seen.filter((path) => path === `/v1/${form}`)).toHaveLength(2);
    // What the model behind the proxy was told: both results, each with its call.
    const [, second] = await upstream.turns();
    const results = second!.body.messages.filter(({ role }: any) => role === 'tool');
    expect(results.map(({ tool_call_id }: any) => tool_call_id)).toEqual(['call-1', 'call-2']);
  });
}

// LiteLLM's own mock. Chat completions stream it; Messages give it in one piece although a stream was asked for; its
// Responses fail with it when a stream is asked for (1.110.2).
for (const spec of ['anthropic:said', 'litellm:said']) {
  test(`a mocked turn of the proxy is taken, streamed or not (${spec})`, async ({ page, servers }) => {
    const proxy = await servers.litellm();
    const quay = await servers.quay();
    const bench = await stage(page, { server: quay.url, task: 'quay-t2', spec, address: `${proxy.url}v1`, key: KEY });
    await bench.run.click();
    await expect(page.getByRole('button', { name: 'Download JSON' })).toBeVisible({ timeout: 60_000 });
    const got = await record(page);
    expect(got).toMatchObject({ end_reason: 'no_tool_call', errors: [], turns: 2 });
    const said = got.messages.filter(({ role }: any) => role === 'assistant').map(({ content }: any) => content);
    expect(said).toEqual(['There is nothing to plan.', 'There is nothing to plan.']);
    expect(got.usage.output_tokens).toBeGreaterThan(0);
  });
}

test("the proxy's key and its list of models are tested from the Models screen", async ({ page, servers }) => {
  const proxy = await servers.litellm();
  const models = new ModelsScreen(page);
  await models.open();
  const card = await models.shown('litellm');
  await card.set(`${proxy.url}v1`, KEY);
  await card.test.click();
  await expect(card.status).toContainText('answered with this key');
  await card.button('Load the model list').click();
  await expect(card.group.getByRole('list', { name: 'Listed models' })).toContainText('loader');
});
