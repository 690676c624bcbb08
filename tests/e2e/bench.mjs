// What the release page costs in Chromium: the start from cold, and a frame while scrubbing the largest chart.
//
//   scripts/bench browser          (or: node tests/e2e/bench.mjs, once dist/ is built)
//
// Start: first paint, first usable control, grade card, each from the navigation's start, median of several cold
// browsers (a new one each time, nothing cached). Frame: the main thread's work (script, style, layout, paint)
// for one new position of the hour line.
import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const here = dirname(fileURLToPath(import.meta.url));
const launch = {
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run', '--disable-sync'],
};

const median = (numbers) => quantile(numbers, 0.5);
function quantile(numbers, q) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

async function serve() {
  const server = spawn('python3', [resolve(here, '../../scripts/static_server.py'), resolve(here, '../../dist'), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise((listening) => {
    createInterface({ input: server.stdout }).on('line', (line) => {
      const found = line.match(/http:\/\/[^\s]+/);
      if (found) listening(found[0]);
    });
  });
  return { address, stop: () => server.kill() };
}

/** One cold start: milliseconds from the navigation's start. */
async function coldStart(address) {
  const browser = await chromium.launch(launch);
  try {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      // Seen from inside, so that the driver's own delay is not counted.
      window.seen = {};
      const look = () => {
        const control = document.querySelector('main button:not([disabled])');
        if (control && !document.querySelector('[data-first-paint]')) window.seen.control ??= performance.now();
        if (document.querySelector('[aria-label="Grade"]')?.textContent.includes('Reward')) window.seen.grade ??= performance.now();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(address);
    await page.getByRole('region', { name: 'Grade' }).filter({ hasText: 'Reward' }).waitFor();
    return await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      ...window.seen,
    }));
  } finally {
    await browser.close();
  }
}

/** Milliseconds of the main thread's work for each of `steps` positions of the hour line. */
async function scrub(address, steps) {
  const browser = await chromium.launch(launch);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${address}#/tasks`);
    const id = await page.evaluate(async () => {
      const { tasks } = await (await fetch('tasks/pack.json')).json();
      return tasks.reduce((most, task) => (task.ships.length > most.ships.length ? task : most)).task_id;
    });
    await page.goto(`${address}#/t/builtin/${id}`);
    const hour = page.getByRole('slider', { name: 'Hour of the week' }).first();
    await hour.waitFor();
    const ships = await page.getByRole('region', { name: 'Plan', exact: true }).getByRole('group', { name: /plan|draft/i }).first().getByRole('button', { name: /hours/ }).count();
    const last = Number(await hour.getAttribute('max'));
    const frames = await hour.evaluate(
      async (slider, [last, steps]) => {
        const frames = [];
        const { port1, port2 } = new MessageChannel();
        for (let step = 0; step < steps; step++) {
          const begin = performance.now();
          slider.value = `${Math.round((last * (step + 1)) / (steps + 1))}`;
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          await null; // what the page does at once, before anything is drawn
          const script = performance.now() - begin;
          // From the frame's first callback to the first task after it: style, layout, paint.
          const drawing = await new Promise((drawn) => {
            requestAnimationFrame(() => {
              const frame = performance.now();
              port1.onmessage = () => drawn(performance.now() - frame);
              port2.postMessage(null);
            });
          });
          frames.push(script + drawing);
        }
        return frames;
      },
      [last, steps],
    );
    return { id, ships, hours: last, frames };
  } finally {
    await browser.close();
  }
}

const server = await serve();
try {
  const starts = [];
  for (let run = 0; run < 5; run++) starts.push(await coldStart(server.address));
  for (const [name, key] of [['first paint', 'paint'], ['first usable control', 'control'], ['grade card', 'grade']]) {
    console.log(`start, ${name.padEnd(22)} ${median(starts.map((start) => start[key] ?? NaN)).toFixed(0).padStart(6)} ms`);
  }
  const { id, ships, hours, frames } = await scrub(server.address, 120);
  console.log(
    `scrub, ${id}: ${ships} ships, ${hours} h: median ${median(frames).toFixed(2)} ms, 99th percentile ${quantile(frames, 0.99).toFixed(2)} ms a frame`,
  );
} finally {
  server.stop();
}
