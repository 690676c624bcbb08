import { expect, test } from '@playwright/test';

test.describe('the page as it is delivered', () => {
  test('starts, has its name, and asks no other origin for anything', async ({ page, baseURL }) => {
    const asked: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('websocket', (socket) => asked.push(socket.url()));
    page.on('pageerror', (error) => faults.push(`${error}`));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });

    await page.goto('./');
    await expect(page).toHaveTitle(/Quayside/);
    // Without one of its own the browser asks the host for /favicon.ico, sooner or later, and logs that there is none.
    await expect(page.locator('link[rel~="icon"]')).toHaveCount(1);
    // The program itself has drawn something, not only the static HTML.
    await expect(page.getByRole('main')).toBeVisible();
    await page.waitForLoadState('networkidle');

    const elsewhere = asked.filter((url) => !url.startsWith(baseURL!) && !/^(data|blob):/.test(url));
    expect(elsewhere).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('carries a content security policy that lets in no foreign script and no inline script', async ({ page }) => {
    await page.goto('./');
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    const rules = new Map(
      (policy ?? '')
        .split(';')
        .map((rule) => rule.trim().split(/\s+/))
        .map(([name, ...sources]) => [name, sources] as const),
    );

    const scripts = rules.get('script-src') ?? rules.get('default-src') ?? ['*'];
    expect(scripts).toContain("'self'");
    for (const source of scripts) {
      expect(source).toMatch(/^'(self|wasm-unsafe-eval|sha(256|384|512)-.+|nonce-.+)'$/);
    }
    expect(rules.get('object-src') ?? rules.get('default-src')).toEqual(["'none'"]);
  });
});
