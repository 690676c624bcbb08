import { readFile, writeFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { grown } from './big.mjs';
import { RolloutsScreen, Workbench } from './pages/page';

// Rollouts as large as they come: only turns near what is seen are drawn, and all the ways through a run still work.

const TURNS = 240;

/** A file with a rollout of many turns, grown from a run of the planner. */
async function large(page: Page, path: string): Promise<string> {
  const bench = new Workbench(page);
  await bench.open('busy-01');
  await bench.run.click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download JSON' }).click()]);
  const record = JSON.parse(await readFile(await download.path(), 'utf8'));
  await writeFile(path, JSON.stringify(grown(record, { bytes: 8e6, turns: TURNS })));
  return path;
}

test('of a rollout with hundreds of turns those near what is seen are drawn', async ({ page }, info) => {
  const file = await large(page, info.outputPath('grown.json'));
  const rollouts = new RolloutsScreen(page);
  await rollouts.open();
  await rollouts.import.setInputFiles(file);
  const list = page.getByRole('region', { name: 'Transcript' });
  const turn = (number: number) => list.getByRole('article', { name: `Turn ${number}`, exact: true });
  const card = (number: number) => turn(number).getByRole('group', { name: 'Call of check_plan' });
  await expect(list.getByRole('article', { name: /^Turn/ })).toHaveCount(TURNS);
  await expect(card(TURNS), 'a rollout opens at its end').toBeVisible();
  const drawn = () => list.getByRole('group', { name: 'Call of check_plan' }).count();
  expect(await drawn()).toBeLessThan(TURNS / 2);
  await expect(card(120)).toHaveCount(0);

  await test.step('the slider leads to a message in the middle', async () => {
    await page.getByRole('slider', { name: /^Message of the run/ }).fill('122');
    await expect(card(120)).toBeInViewport();
    await expect(turn(120)).toHaveAttribute('aria-current', 'step');
  });
  await test.step('keys go on from there', async () => {
    await turn(120).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect(turn(122)).toBeFocused();
    await expect(card(122)).toBeInViewport();
  });
  await test.step('what was opened stays open', async () => {
    await turn(122).getByText(/^Reasoning, turn 122/).click();
    const words = turn(122).locator('details[open]');
    await expect(words).toBeVisible();
    await list.evaluate((element) => element.scrollTo(0, 0));
    await expect(card(1)).toBeInViewport();
    await expect(words).toHaveCount(1);
  });
  expect(await drawn()).toBeLessThan(TURNS / 2);

  await test.step('a link into the middle leads there', async () => {
    const address = new URL(page.url());
    await page.goto('about:blank');
    await page.goto(`${address.origin}${address.pathname}${address.hash.replace(/\?.*$/, '')}?m=182`);
    await expect(card(180)).toBeInViewport();
  });
  await test.step('paper has all of it', async () => {
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await expect.poll(drawn).toBe(TURNS);
  });
});
