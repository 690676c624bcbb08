import { expect, test, type Page } from '@playwright/test';
import { ModelsScreen, service } from './pages/models';

const KEY = 'sk-planted-7f3a91';
const LIST = { data: [{ id: 'gpt-large' }, { id: 'gpt-small' }, { id: 'embedder' }] };

/** Everything that the page has written anywhere: DOM with what stands in fields, storage, address. */
async function written(page: Page): Promise<string> {
  return page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value);
    const kept = JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage });
    return [document.documentElement.outerHTML, ...fields, kept, location.href, document.cookie].join('\n');
  });
}

test.describe('people’s own keys', () => {
  let said: string[];
  test.beforeEach(({ page }) => {
    said = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(`${error}`));
  });

  test('a key is tested with its service, which gets it and lists its models', async ({ page }) => {
    const calls = await service(page, 'https://api.openai.com', () => ({ body: LIST }));
    const models = new ModelsScreen(page);
    await models.open();
    const openai = models.card('OpenAI');
    await openai.give(KEY);
    await expect(openai.key).toHaveValue('');
    await expect(openai.group).toContainText('Held for api.openai.com, until this page closes.');
    await openai.test.click();
    await expect(openai.status).toContainText('api.openai.com took the key. It lists 3 models.');
    expect(calls).toHaveLength(1);
    expect(calls[0].url).toBe('https://api.openai.com/v1/models');
    expect(calls[0].headers.authorization).toBe(`Bearer ${KEY}`);
    expect(calls[0].headers.referer).toBeUndefined();

    await openai.model.fill('small');
    await expect(openai.list.getByRole('listitem')).toHaveCount(1);
    await openai.list.getByRole('button', { name: /gpt-small/ }).click();
    await openai.button('Use this model').click();
    await expect(models.inUse).toContainText('openai:gpt-small');
    await expect(models.inUse).toContainText('Ready for a run.');
    await expect(models.pill).toHaveAccessibleName('Models: openai:gpt-small');

    expect(await written(page)).not.toContain(KEY);
    expect(said.join('\n')).not.toContain(KEY);
  });

  test('a refused key is told in our words, though the service repeats it', async ({ page }) => {
    await service(page, 'https://api.anthropic.com', () => ({
      status: 401,
      body: { type: 'error', error: { type: 'authentication_error', message: `invalid key ${KEY}` } },
    }));
    const models = new ModelsScreen(page);
    await models.open();
    const anthropic = models.card('Anthropic');
    await anthropic.give(KEY);
    await anthropic.test.click();
    await expect(anthropic.status).toContainText('api.anthropic.com answered 401: the key was refused.');
    expect(await written(page)).not.toContain(KEY);
    expect(said.join('\n')).not.toContain(KEY);
  });

  test('an address of another origin asks before the key goes there', async ({ page }) => {
    const home = await service(page, 'https://api.openai.com', () => ({ body: LIST }));
    const proxy = await service(page, 'https://proxy.example', () => ({ body: LIST }));
    const models = new ModelsScreen(page);
    await models.open();
    const openai = models.card('OpenAI');
    await openai.give(KEY);
    await openai.address.fill('proxy.example/v1/chat/completions');
    await openai.address.blur();
    await expect(openai.address).toHaveValue('https://proxy.example/v1');
    await expect(openai.group).toContainText('The key is for api.openai.com. Send it to proxy.example too?');
    await openai.test.click();
    await expect(openai.status).toContainText('nothing was sent');
    expect(proxy).toEqual([]);

    await openai.button('Send it to proxy.example').click();
    await expect(openai.group).toContainText('Held for proxy.example');
    await openai.test.click();
    await expect(openai.status).toContainText('proxy.example took the key');
    expect(proxy.map((call) => call.headers.authorization)).toEqual([`Bearer ${KEY}`]);
    expect(home).toEqual([]);
  });

  test('no redirect takes a key to another origin', async ({ page }) => {
    const thief = await service(page, 'https://thief.example', () => ({ body: LIST }));
    await service(page, 'https://api.openai.com', () => ({
      status: 302,
      headers: { location: 'https://thief.example/v1/models' },
    }));
    const models = new ModelsScreen(page);
    await models.open();
    const openai = models.card('OpenAI');
    await openai.give(KEY);
    await openai.test.click();
    await expect(openai.status).toContainText('could not be reached');
    await expect(openai.status.getByRole('listitem').last()).toContainText('the page does not follow');
    expect(thief).toEqual([]);
  });

  test('a key is kept by choice, survives a reload, and is forgotten', async ({ page }) => {
    const calls = await service(page, 'https://api.openai.com', () => ({ body: LIST }));
    const models = new ModelsScreen(page);
    await models.open();
    const openai = models.card('OpenAI');
    await openai.give(KEY);
    await openai.model.fill('gpt-large@low');
    await openai.button('Use this model').click();
    await page.reload();
    await expect(openai.group).toContainText('No key yet.');
    await expect(models.inUse).toContainText('openai:gpt-large@low');
    await expect(models.inUse).toContainText('OpenAI needs a key of your own.');

    await openai.keep.check();
    await openai.give(KEY);
    await expect(openai.group).toContainText('kept on this device');
    await page.reload();
    await expect(openai.group).toContainText('Held for api.openai.com, kept on this device.');
    await expect(openai.keep).toBeChecked();
    await openai.test.click();
    await expect(openai.status).toContainText('took the key');
    expect(calls.map((call) => call.headers.authorization)).toEqual([`Bearer ${KEY}`]);

    // No longer kept, but held until the page closes.
    await openai.keep.uncheck();
    await expect(openai.group).toContainText('until this page closes');
    expect(await written(page)).not.toContain(KEY);
    await openai.button('Forget this key').click();
    await expect(openai.group).toContainText('No key yet.');
    await openai.test.click();
    await expect(openai.status).toContainText('No key is held for OpenAI, so nothing was sent.');
    expect(calls).toHaveLength(1);

    await openai.keep.check();
    await openai.give(KEY);
    await models.card('vLLM').give('another');
    await models.forgetAll.click();
    await expect(openai.group).toContainText('No key yet.');
    await expect(models.card('vLLM').group).toContainText('No key.');
    expect(await written(page)).not.toContain(KEY);
  });

  test('what is forgotten in one tab is forgotten in all', async ({ page, context }) => {
    const here = new ModelsScreen(page);
    await here.open();
    await here.card('OpenAI').give(KEY);
    const there = new ModelsScreen(await context.newPage());
    await there.open();
    const openai = there.card('OpenAI');
    await expect(openai.group, 'a key that is not kept is held by one tab').toContainText('No key yet.');
    await openai.give(KEY);
    await expect(openai.group).toContainText('until this page closes');
    await here.forgetAll.click();
    await expect(openai.group).toContainText('No key yet.');
    await expect(there.page.getByText('Keys were forgotten in another tab, and so they are here.')).toBeVisible();
  });

  test('a text that no header carries is refused, and says why', async ({ page }) => {
    const models = new ModelsScreen(page);
    await models.open();
    const openai = models.card('OpenAI');
    await openai.give('export KEY=sk-1');
    await expect(openai.group).toContainText('that is no key');
    await openai.give(` ${KEY} `);
    await expect(openai.group).toContainText('Held for api.openai.com');
  });

  test('no link gives an address or a key', async ({ page }) => {
    await page.goto(`./#/models?key=${KEY}&openai=https%3A%2F%2Fthief.example&base=https%3A%2F%2Fthief.example`);
    const models = new ModelsScreen(page);
    const openai = models.card('OpenAI');
    await expect(openai.address).toHaveValue('https://api.openai.com/v1');
    await expect(openai.group).toContainText('No key yet.');
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('thief');
  });
});

test.describe('services', () => {
  test('a server of one’s own is asked at the address typed, without a key', async ({ page }) => {
    const calls = await service(page, 'http://localhost:8000', () => ({ body: { data: [{ id: 'org/served' }] } }));
    const models = new ModelsScreen(page);
    await models.open();
    const vllm = models.card('vLLM');
    await vllm.address.fill('localhost:8000');
    await vllm.address.blur();
    await expect(vllm.address).toHaveValue('http://localhost:8000/v1');
    await vllm.button('Load the model list').click();
    await expect(vllm.status).toContainText('localhost:8000 answered. It lists 1 model.');
    expect(calls[0].headers.authorization).toBeUndefined();
    await page.reload();
    await expect(vllm.address).toHaveValue('http://localhost:8000/v1');
  });

  test('a wrong address is explained where it stands', async ({ page }) => {
    const models = new ModelsScreen(page);
    await models.open();
    const vllm = models.card('vLLM');
    await vllm.address.fill('https://me:secret@host.example/v1');
    await vllm.address.blur();
    await expect(vllm.group.getByRole('alert')).toContainText('no user name or password');
  });

  test('a service that does not answer is waited for, and can be left', async ({ page }) => {
    await service(page, 'https://router.huggingface.co', () => 'silence');
    const models = new ModelsScreen(page);
    await models.open();
    const hf = models.card('Hugging Face router');
    await hf.button('Load the model list').click();
    await expect(hf.status).toContainText('Waiting for router.huggingface.co');
    await hf.button('Cancel').click();
    await expect(hf.group).not.toContainText('Waiting for');
    await hf.model.fill('org/model');
    await expect(hf.button('Use this model')).not.toHaveAttribute('aria-disabled');
  });

  test('a router’s list has prices', async ({ page }) => {
    await service(page, 'https://router.huggingface.co', () => ({
      body: {
        data: [
          {
            id: 'org/model',
            providers: [{ provider: 'p', status: 'live', supports_tools: true, pricing: { input: 0.25, output: 1.5 } }],
          },
        ],
      },
    }));
    const models = new ModelsScreen(page);
    await models.open();
    const hf = models.card('Hugging Face router');
    await hf.button('Load the model list').click();
    await expect(hf.list).toContainText('$0.25 in, $1.50 out per million tokens');
  });

  test('a service out of reach is told with what it can be', async ({ page }) => {
    await page.route('http://localhost:11434/**', (route) => route.abort('connectionrefused'));
    const models = new ModelsScreen(page);
    await models.open();
    await page.getByText(/^More services/).click();
    const ollama = models.card('Ollama');
    await expect(ollama.key).toHaveCount(0);
    await ollama.button('Load the model list').click();
    await expect(ollama.status).toContainText('localhost:11434 could not be reached');
    await expect(ollama.status).toContainText('OLLAMA_ORIGINS');
  });

  test('the start screen and the bar lead here', async ({ page }) => {
    await page.goto('./');
    await page.getByRole('link', { name: 'Use my own model' }).click();
    const models = new ModelsScreen(page);
    await expect(models.heading('Models')).toBeVisible();
    await models.go('Start');
    await models.pill.click();
    await expect(models.heading('Models')).toBeVisible();
  });

  for (const width of [360, 1280]) {
    test(`nothing is wider than a screen of ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      const models = new ModelsScreen(page);
      await models.open();
      await page.getByText(/^More services/).click();
      await expect(models.card('OpenRouter').group).toBeVisible();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(wide).toBe(0);
    });
  }
});
