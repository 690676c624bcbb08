import { comparable, episodes, expectedRequests, Markers, request } from './cases';
import { record, stage } from './pages/models';
import { RolloutsScreen } from './pages/page';
import { expect, test } from './servers';

// Whole episodes, from the page's controls to the downloaded record: a real OpenEnv server holds the environment, a
// scripted service the model. A case that is added to tests/cases/episodes is a test that is added.

test('the episodes are here', () => {
  expect(episodes.size).toBeGreaterThanOrEqual(6);
});

test('a comparison lets our own sentences pass, and nothing else', () => {
  const said = (expected: string, got: string, markers = new Markers()) => markers.put(got, expected) === expected;
  expect(said('Quay\n\n@opening', 'Quay\n\nPlan it.')).toBe(true);
  expect(said('Quay\n\n@opening', 'Quay\n\n')).toBe(false);
  expect(said('Quay\n\n@opening', 'Kay\n\nPlan it.')).toBe(false);
  expect(said('{}\n@turns_left(5)', '{}\n[5 turns left]')).toBe(true);
  expect(said('{}\n@turns_left(5)', '{}\n[4 turns left]')).toBe(false);
  expect(said('@args_not_json', '{"error": "not JSON"}')).toBe(true);
  expect(said('@args_not_json', 'not JSON')).toBe(false);
  const markers = new Markers();
  expect(said('@last_turn', 'Now.', markers)).toBe(true);
  expect(said('@last_turn', 'Then.', markers)).toBe(false);
  for (const { record } of episodes.values()) {
    const worse = structuredClone(record);
    worse.messages.at(-1).content += ' ';
    expect(new Markers().all(comparable(worse), comparable(record))).not.toEqual(comparable(record));
  }
});

for (const [name, episode] of episodes) {
  test(`${name}: ${episode.about}`, async ({ page, servers }) => {
    const quay = await servers.quay();
    const service = await (await servers.models()).lay({ case: name, key: 'key-of-the-case' });
    const bench = await stage(page, {
      server: quay.url,
      task: episode.task_id,
      spec: episode.spec,
      address: service.base,
      key: 'key-of-the-case',
      limits: {
        turns: episode.run.max_turns,
        tokens: episode.run.max_tokens,
        minutes: episode.run.wall_clock_s / 60,
      },
    });
    await bench.run.click();
    await expect(page.getByRole('button', { name: 'Download JSON' })).toBeVisible({ timeout: 20_000 });
    await expect(bench.run).toBeEnabled();

    const markers = new Markers();
    const got = await record(page);
    const expected = comparable(episode.record);
    expect(markers.all(comparable(got), expected)).toEqual(expected);
    expect(got.episode_id).toMatch(/^[0-9a-f]{12}$/);
    expect(got.started).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

    const turns = await service.turns();
    const requests = expectedRequests(episode);
    expect(markers.all(turns.map(request), requests)).toEqual(requests);
    markers.differ();
    for (const { body, end } of turns) {
      expect(body.stream).toBe(true);
      expect(body.max_tokens ?? body.max_output_tokens).toBe(episode.run.max_tokens);
      expect(end).toBe('whole');
    }
    // Histories only grow: what was sent once is sent again as it was.
    for (const [at, { body }] of turns.entries()) {
      if (at === 0) continue;
      const before = turns[at - 1]!.body;
      const [old, now] = [before.messages ?? before.input, body.messages ?? body.input];
      expect(now.slice(0, old.length)).toEqual(old);
    }

    // Kept on this device, and the same from there.
    const rollouts = new RolloutsScreen(page);
    await rollouts.open();
    await rollouts.links.first().click();
    await expect(page).toHaveURL(new RegExp(`rollouts/${got.episode_id}`));
    expect(await record(page)).toEqual(got);
  });
}
