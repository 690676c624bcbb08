import { expect, test } from '@playwright/test';
import { StartScreen } from './pages/page';

test('the headline and the broken plan are there before the program is', async ({ page }) => {
  // The program never comes: what is left is what the HTML holds.
  await page.route(/\.wasm$/, (route) => route.abort());
  await page.goto('./');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('A week of ships, a broken plan');
  await expect(page.getByRole('img', { name: /published plan/i })).toBeVisible();
  await expect(page.getByText(/could not start/i)).toBeVisible();
});

test('the demonstration repairs the plan by itself, with no other network and a grade recomputed here', async ({ page }) => {
  const start = new StartScreen(page);
  await start.open();
  await expect(start.gradeCard).toBeVisible();
  await expect(start.gradeCard).toContainText(/0\.\d{3}|1\.000/);
  await expect(start.gradeCard).toContainText('No model, no network');
  await expect(start.gradeCard).toContainText(/recomputed here/i);
  const last = Number(await start.steps.getAttribute('max'));
  expect(last).toBeGreaterThanOrEqual(4);
  await expect(start.steps).toHaveValue(`${last}`);
});

test('the steps can be walked, and the first one is the broken plan', async ({ page }) => {
  const start = new StartScreen(page);
  await start.open();
  await expect(start.gradeCard).toContainText(/recomputed here/i);
  await start.steps.fill('1');
  await expect(start.main).toContainText(/published plan, after the week went wrong: [1-9]\d* problem/i);
  await start.button('Run the demonstration again').click();
  await expect(start.gradeCard).toContainText('The grade appears here');
  await expect(start.gradeCard).toContainText(/recomputed here/i);
});

test('with reduced motion the finished run is shown, and steps only play when asked to', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce', baseURL });
  const start = new StartScreen(await context.newPage());
  await start.open();
  await expect(start.gradeCard).toBeVisible();
  // The card keeps its place from the start; it is the grade in it that says that the run is over.
  await expect(start.gradeCard).toContainText(/recomputed here/i);
  const last = await start.steps.getAttribute('max');
  await expect(start.steps).toHaveValue(`${last}`);
  await start.button('Play the steps').click();
  await expect(start.steps).toHaveValue('1');
  await expect(start.steps).toHaveValue(`${last}`);
  await context.close();
});
