// What the release page costs in Chromium: the start from cold, and a frame while scrubbing the largest chart.
//
//   scripts/bench browser          (or: node tests/e2e/bench.mjs, once dist/ is built)
//
// Start: first paint, first usable control, grade card, each from the navigation's start, median of several cold
// browsers (a new one each time, nothing cached). Frame: the main thread's work (script, style, layout, paint)
// for one new position of the hour line. Large: a generated rollout from the moment that its file is chosen until its
// last turn stands on the screen, then frames while it is scrolled from end to end.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { grown } from './big.mjs';

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

/** The record of the planner's run on the task with the most ships. */
async function planned(address) {
  const browser = await chromium.launch(launch);
  try {
    const page = await browser.newPage();
    await page.goto(`${address}#/tasks`);
    const id = await page.evaluate(async () => {
      const { tasks } = await (await fetch('tasks/pack.json')).json();
      return tasks.reduce((most, task) => (task.ships.length > most.ships.length ? task : most)).task_id;
    });
    await page.goto(`${address}#/t/builtin/${id}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download JSON' }).click();
    return JSON.parse(await readFile(await (await download).path(), 'utf8'));
  } finally {
    await browser.close();
  }
}

/** Opens a file with `record` and scrolls through it: milliseconds until it is there, and of each frame. */
async function large(address, record) {
  const browser = await chromium.launch(launch);
  const folder = await mkdtemp(join(tmpdir(), 'quayside-'));
  try {
    const file = join(folder, 'grown.json');
    await writeFile(file, JSON.stringify(record));
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${address}#/rollouts`);
    const input = page.locator('input[type=file][data-open]').first();
    await input.waitFor({ state: 'attached' });
    await page.evaluate(() => {
      window.seen = {};
      document.addEventListener('change', () => (window.seen.chosen = performance.now()), { capture: true });
      const look = () => {
        const turns = document.querySelectorAll('.transcript > .turn:not([data-away])');
        if (window.seen.chosen && turns.length) requestAnimationFrame(() => (window.seen.there = performance.now()));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await input.setInputFiles(file);
    await page.waitForFunction(() => window.seen.there, undefined, { timeout: 300_000 });
    const opened = await page.evaluate(() => window.seen.there - window.seen.chosen);
    const made = await page.evaluate(() => document.querySelectorAll('.transcript *').length);
    const list = page.getByRole('region', { name: 'Transcript' });
    const frames = await list.evaluate(async (list) => {
      const frames = [];
      const frame = () => new Promise((next) => requestAnimationFrame(next));
      let before = await frame();
      list.scrollTop = 0;
      // A screen every other frame, as a person who flings does.
      while (list.scrollTop + list.clientHeight < list.scrollHeight - 1 && frames.length < 2_000) {
        list.scrollTop += list.clientHeight / 2;
        const now = await frame();
        frames.push(now - before);
        before = now;
      }
      return frames;
    });
    return { opened, made, frames, turns: await page.locator('.transcript > .turn').count() };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
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
  const record = await planned(server.address);
  for (const [bytes, turns] of [[1e6, 12], [20e6, 240]]) {
    const { opened, made, frames } = await large(server.address, grown(record, { bytes, turns }));
    console.log(
      `large, ${bytes / 1e6} MB in ${turns} turns: there after ${opened.toFixed(0)} ms with ${made} elements; scrolling, median ${median(frames).toFixed(1)} ms, ` +
        `99th percentile ${quantile(frames, 0.99).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms a frame`,
    );
  }
} finally {
  server.stop();
}
