import { expect, test } from '@playwright/test';
import { TasksScreen, Workbench } from './pages/page';

test('the list filters, sorts and leads to a task', async ({ page }) => {
  const tasks = new TasksScreen(page);
  await tasks.open();
  await expect.poll(() => tasks.links.count()).toBeGreaterThanOrEqual(24);
  await tasks.choose('Tier').selectOption({ label: 'storm' });
  const storms = await tasks.links.count();
  expect(storms).toBeGreaterThan(0);
  expect(storms).toBeLessThan(24);
  await page.getByRole('button', { name: 'Sort by ships' }).click();
  const first = (await tasks.links.first().textContent())!;
  await tasks.filter.fill(first);
  await expect(tasks.links).toHaveCount(1);
  await tasks.links.first().click();
  await expect(new Workbench(page).run).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(first));
});

test('a filter that matches nothing says so', async ({ page }) => {
  const tasks = new TasksScreen(page);
  await tasks.open();
  await tasks.filter.fill('no such task anywhere');
  await expect(tasks.main).toContainText(/no task has all of these words/i);
});

test('a random task opens', async ({ page }) => {
  const tasks = new TasksScreen(page);
  await tasks.open();
  await expect.poll(() => tasks.links.count()).toBeGreaterThanOrEqual(24);
  await page.getByRole('button', { name: 'Random task' }).click();
  await expect(new Workbench(page).run).toBeVisible();
});

test('when the task list cannot be loaded, the page says so and the first task still runs', async ({ page }) => {
  await page.route(/pack\.json/, (route) => route.abort());
  const tasks = new TasksScreen(page);
  await tasks.open();
  await expect(tasks.main).toContainText(/did not send the built-in tasks/i);
  await tasks.links.first().click();
  const bench = new Workbench(page);
  await bench.run.click();
  await expect(bench.grade).toBeVisible({ timeout: 20_000 });
});
