import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { ModelsScreen, service } from './pages/models';
import { RolloutsScreen, StartScreen, TasksScreen, Workbench } from './pages/page';

const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 740 } };

async function clean(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  expect(found).toEqual([]);
}

/** No text has to be scrolled sideways; the chart may scroll within itself. */
async function fits(page: Page, where: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over, `${where}: pixels beyond the right edge`).toBeLessThanOrEqual(0);
}

for (const scheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries(sizes)) {
    test(`every screen is accessible and fits (${scheme}, ${size})`, async ({ browser, baseURL }) => {
      test.setTimeout(120_000);
      const context = await browser.newContext({ colorScheme: scheme, viewport, baseURL, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const look = async (where: string) => {
        await clean(page, where);
        await fits(page, where);
      };

      const start = new StartScreen(page);
      await start.open();
      await expect(start.gradeCard).toContainText(/recomputed here/i);
      await look('start');
      await start.steps.fill('1');
      await look('start, published plan');
      await start.button('Share this run').click();
      const shared = page.getByRole('textbox', { name: 'Link' });
      await expect(shared).toHaveValue(/#\/r\//);
      await look('share');
      const link = await shared.inputValue();
      await page.goto(link);
      await expect(page.getByRole('button', { name: 'Keep on this device' })).toBeVisible();
      await look('shared rollout');
      await page.goto(link.slice(0, -9));
      await expect(page.getByRole('alert')).toBeVisible();
      await look('shared rollout, cut');
      await page.goto('./#/r?src=https%3A%2F%2Ffiles.example.org%2Frun.json');
      await expect(page.getByRole('button', { name: /^Fetch from/ })).toBeVisible();
      await look('shared rollout, elsewhere');

      const tasks = new TasksScreen(page);
      await tasks.open();
      await expect.poll(() => tasks.links.count()).toBeGreaterThanOrEqual(24);
      await look('tasks');
      await tasks.filter.fill('nothing like this');
      await look('tasks, none');
      await tasks.filter.fill('');

      await tasks.links.first().click();
      const bench = new Workbench(page);
      await expect(bench.run).toBeVisible();
      await look('workbench, before');
      await bench.run.click();
      await expect(bench.grade).toBeVisible({ timeout: 20_000 });
      for (const tab of ['Ships', 'Situation', 'Calls', 'Problems']) {
        await bench.tab(new RegExp(tab)).click();
        await look(`workbench, ${tab}`);
      }

      const rollouts = new RolloutsScreen(page);
      await rollouts.open();
      await look('rollouts');
      await rollouts.links.first().click();
      await expect(rollouts.download).toBeVisible();
      await look('rollout');

      await page.goto('./#/connect');
      await expect(page.getByRole('heading', { level: 1, name: 'Connect' })).toBeVisible();
      await look('connect');
      await page.getByRole('textbox', { name: 'Server address' }).fill('http://127.0.0.1:9');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await expect(page.getByRole('list', { name: 'Findings' }).getByRole('listitem').first()).toBeVisible();
      await look('connect, a server that is not there');

      const models = new ModelsScreen(page);
      await service(page, 'https://api.openai.com', () => ({ body: { data: [{ id: 'one' }, { id: 'two' }] } }));
      await models.open();
      await look('models');
      const openai = models.card('OpenAI');
      await openai.give('sk-planted');
      await openai.test.click();
      await openai.list.getByRole('button').first().click();
      await models.card('vLLM').address.fill('ftp://x');
      await page.getByText(/^More services/).click();
      await look('models, a list and a wrong address');
      await openai.address.fill('proxy.example');
      await openai.address.blur();
      await expect(openai.button('Send it to proxy.example')).toBeVisible();
      await look('models, a key for another origin');

      await page.goto('./#/nowhere');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await look('unknown address');

      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
      await look('help');
      await context.close();
    });
  }
}

test('the chart is walked by keyboard, ship by ship', async ({ page }) => {
  const tasks = new TasksScreen(page);
  await tasks.open();
  await tasks.links.first().click();
  const bench = new Workbench(page);
  await expect(bench.chart).toBeVisible();
  const ship = bench.chart.getByRole('button', { name: /hours -?\d+ to \d+, sections \d+ to \d+/ });
  expect(await ship.count()).toBeGreaterThan(10);
  await ship.first().focus();
  const before = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await page.keyboard.press('ArrowRight');
  const after = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(after).not.toBe(before);
  expect(after).toMatch(/hours/);
});

test('the theme is chosen, painted and remembered', async ({ page }) => {
  const start = new StartScreen(page);
  await start.open();
  const theme = page.getByRole('combobox', { name: 'Theme' }).or(page.getByRole('button', { name: /^Theme/ }));
  await expect(theme.first()).toBeVisible();
});
