import { defineConfig, devices } from '@playwright/test';

// Not 8080, where a person may have `scripts/serve` running.
const port = Number(process.env.E2E_PORT ?? 4173);
const address = `http://127.0.0.1:${port}/`;

// The installed Chromium, never one that Playwright brings. It must ask nothing of the network by itself: a machine
// without one would answer each such call with an error.
export const chromium = {
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
    '--disable-sync',
  ],
};

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  forbidOnly: !!process.env.CI,
  fullyParallel: true,
  // A test that passes at the second try has found a flaw; it fails.
  retries: 0,
  workers: 2,
  reporter: 'list',
  timeout: 30_000,
  expect: { timeout: 10_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL: address,
    launchOptions: chromium,
    trace: 'retain-on-failure',
  },
  webServer: {
    command: `python3 ../../scripts/static_server.py ../../dist --port ${port} --strict`,
    url: address,
    // A server of somebody else on this port would serve another page.
    reuseExistingServer: false,
  },
});
