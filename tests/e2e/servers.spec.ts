import { type Page } from '@playwright/test';
import { expect, test } from './servers';

// The test servers themselves, spoken to from a page of another origin: what the other tests rest on.

/** Sends each frame after the answer to the one before; returns the answers, then `closed CODE` if it came to that. */
function talk(page: Page, url: string, frames: unknown[]): Promise<any[]> {
  return page.evaluate(
    ([address, frames]) =>
      new Promise<any[]>((done) => {
        const heard: any[] = [];
        const socket = new WebSocket(address);
        const next = () => {
          if (frames.length) socket.send(JSON.stringify(frames.shift()));
          else done(heard);
        };
        socket.onopen = next;
        socket.onmessage = ({ data }) => {
          heard.push(JSON.parse(data));
          next();
        };
        socket.onclose = ({ code }) => done([...heard, `closed ${code}`]);
      }),
    [`${url.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`, frames] as const,
  );
}

const call = (tool_name: string, args: object = {}) => ({
  type: 'step',
  data: { type: 'call_tool', tool_name, arguments: args },
});
const reset = { type: 'reset', data: { episode_id: '3f2e73f0c592' } };

for (const version of ['current', 'oldest'] as const) {
  test(`a berth episode runs on the ${version} OpenEnv`, async ({ page, servers }) => {
    const { url } = await servers.berths({ version });
    await page.goto('./');
    const [start, tools, checked, handedIn] = await talk(page, url, [
      reset,
      { type: 'step', data: { type: 'list_tools' } },
      call('check_plan', { plan: [] }),
      call('submit_plan', { plan: '[]' }),
    ]);

    expect(Object.keys(start.data.metadata)).toEqual(expect.arrayContaining(['instructions', 'situation', 'task_id']));
    expect(start.data.metadata.situation).toContain('## Ships to berth');
    expect(tools.data.observation.tools.map((tool: any) => tool.name)).toEqual([
      'get_situation',
      'check_plan',
      'submit_plan',
    ]);
    expect(checked.data).toMatchObject({ reward: 0, done: false, metadata: { checks_left: 9 } });
    expect(JSON.parse(checked.data.observation.result.content[0].text).violations[0].kind).toBe('missing');
    expect(handedIn.data).toMatchObject({
      done: true,
      metadata: { end_reason: 'submitted', grade: { feasible: false, clean_fraction: 0 } },
    });
  });
}

test('an OpenEnv from before metadata sends no prompt, but has the tools', async ({ page, servers }) => {
  const { url } = await servers.berths({ version: 'without-metadata' });
  await page.goto('./');
  const [start, situation] = await talk(page, url, [reset, call('get_situation')]);
  expect(start.data.metadata).toBeUndefined();
  expect(situation.data.observation.result.content[0].text).toContain('## Ships to berth');
});

test('the call limit ends an episode, and a refused eleventh check counts as a call', async ({ page, servers }) => {
  const { url } = await servers.berths();
  await page.goto('./');
  const answers = await talk(page, url, [reset, ...Array.from({ length: 24 }, () => call('check_plan', { plan: '[]' }))]);
  const text = (answer: any) => JSON.parse(answer.data.observation.result.content[0].text);
  expect(text(answers[10]).checks_left).toBe(0);
  expect(text(answers[11])).toEqual({ error: expect.any(String) });
  expect(answers[23].data.done).toBe(false);
  expect(answers[24].data).toMatchObject({ done: true, reward: 0, metadata: { end_reason: 'tool_call_limit' } });
});

test('a full server says so and closes', async ({ page, servers }) => {
  const { url } = await servers.berths({ maxSessions: 1 });
  await page.goto('./');
  expect(await talk(page, url, [reset])).toHaveLength(1);
  const [refusal] = await talk(page, url, [{ type: 'state' }]);
  expect(refusal).toMatchObject({ type: 'error', data: { code: 'CAPACITY_REACHED' } });
});

test('the Task API is closed to other origins and open to its own', async ({ page, servers, baseURL }) => {
  const { url } = await servers.berths({ page: '../../dist' });
  const splits = () =>
    page.evaluate(async (address) => {
      const [name] = await (await fetch(`${address}list_environments`)).json();
      return (await fetch(`${address}${name}/splits`)).json();
    }, url);
  await page.goto(baseURL!);
  await expect(splits()).rejects.toThrow('Failed to fetch');
  await page.goto(url);
  expect(await splits()).toContainEqual({ name: 'train', type: 'train' });
});

test('each misbehaving server does what its name says', async ({ page, servers }) => {
  const { url } = await servers.fakes();
  await page.goto('./');
  const plan = call('check_plan', { plan: [] });
  expect(await talk(page, `${url}drop-1`, [reset, plan])).toEqual([expect.anything(), 'closed 1006']);
  expect(await talk(page, `${url}stop-1`, [reset, plan])).toEqual([expect.anything(), 'closed 1012']);
  expect(await talk(page, `${url}full`, [reset, reset])).toEqual([
    { type: 'error', data: expect.objectContaining({ code: 'CAPACITY_REACHED' }) },
    'closed 1000',
  ]);
  expect(await talk(page, `${url}html`, [reset])).toEqual(['closed 1006']);
  expect(await talk(page, `${url}refuse`, [reset])).toEqual(['closed 1006']);
  expect(await talk(page, `${url}echo`, [reset])).toEqual([reset]);
  const [hello] = await talk(page, `${url}stray`, [reset]);
  expect(hello.type).toBe('hello');
  const [, huge] = await talk(page, `${url}huge`, [reset, plan]);
  expect(huge.data.observation.result.data.length).toBeGreaterThan(5_000_000);
  const [, gone] = await talk(page, `${url}reaped`, [reset, plan]);
  expect(gone.data.observation.error.message).toContain('environment is closed');
});
