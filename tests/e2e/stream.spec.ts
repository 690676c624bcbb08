import { type Locator, type Page } from '@playwright/test';
import { TasksScreen, Workbench } from './pages/page';
import { expect, test } from './servers';

// What a stream of pieces does to the page, without a model: tests/browser/follow.rs. Here hands are on the transcript.

/** Pixels below what is seen. */
const left = (list: Locator) => list.evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop));
const top = (list: Locator) => list.evaluate((box) => Math.round(box.scrollTop));

/** A run whose transcript is longer than its box. */
async function longRun(page: Page): Promise<{ bench: Workbench; follow: Locator }> {
  const tasks = new TasksScreen(page);
  await tasks.open();
  const task = (await tasks.links.first().textContent())!.trim();
  const bench = new Workbench(page);
  await bench.open(task);
  await bench.run.click();
  await expect(bench.grade).toBeVisible({ timeout: 20_000 });
  const follow = page.getByRole('checkbox', { name: 'Follow the run' });
  await expect(follow).toBeChecked();
  await expect.poll(() => top(bench.transcript)).toBeGreaterThan(200);
  await expect.poll(() => left(bench.transcript)).toBeLessThanOrEqual(1);
  return { bench, follow };
}

for (const [width, height] of [[1280, 720], [390, 844]] as const) {
  test(`a reader who turns the wheel, or presses a key, is let go and comes back (${width} pixels wide)`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const { bench, follow } = await longRun(page);
    const list = bench.transcript;

    await list.hover();
    await page.mouse.wheel(0, -120);
    await expect(follow).not.toBeChecked();
    await page.mouse.wheel(0, 4_000);
    await expect(follow).toBeChecked();
    await expect.poll(() => left(list)).toBeLessThanOrEqual(1);

    for (const key of ['ArrowUp', 'PageUp', 'Home']) {
      await list.focus();
      await page.keyboard.press(key);
      await expect(follow).not.toBeChecked();
      await page.keyboard.press('End');
      await expect(follow).toBeChecked();
      await expect.poll(() => left(list)).toBeLessThanOrEqual(1);
    }
  });
}

test('whoever reads higher up is not moved by what opens below, and the box takes them back', async ({ page }) => {
  const { bench, follow } = await longRun(page);
  const list = bench.transcript;
  await list.focus();
  await page.keyboard.press('Home');
  await expect(follow).not.toBeChecked();
  await expect.poll(() => top(list)).toBe(0);
  await list.getByText('Result', { exact: true }).last().evaluate((summary) => (summary as HTMLElement).click());
  await expect.poll(() => top(list)).toBe(0);
  await follow.check();
  await expect.poll(() => left(list)).toBeLessThanOrEqual(1);
});
