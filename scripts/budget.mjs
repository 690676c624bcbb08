// Weighs the release page: node scripts/budget.mjs dist
// What a static host sends is compressed, so that is what counts. Fails when a limit is passed, or when a file tells
// where the machine that built it keeps things (scripts/env.sh, for_release).
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const KB = 1000;
const PAGE = ['.html', '.css', '.js', '.wasm'];
// A program file that the page does not begin with (scripts/parts.py).
const isPart = (file) => file.kind === '.wasm' && !file.name.endsWith('_bg.wasm');
const begins = (file) => PAGE.includes(file.kind) && !isPart(file);
const LIMITS = [
  { what: 'begin with, brotli', limit: 350 * KB, of: (file) => begins(file) && file.brotli },
  { what: 'begin with, gzip', limit: 430 * KB, of: (file) => begins(file) && file.gzip },
  { what: 'all parts, brotli', limit: 550 * KB, of: (file) => PAGE.includes(file.kind) && file.brotli },
  // These two are read before anything is drawn.
  { what: 'HTML and CSS, raw', limit: 40 * KB, of: (file) => ['.html', '.css'].includes(file.kind) && file.raw },
  { what: 'HTML and CSS, gzip', limit: 16 * KB, of: (file) => ['.html', '.css'].includes(file.kind) && file.gzip },
  { what: 'pack.json, gzip', limit: 60 * KB, of: (file) => /(^|\/)pack[^/]*\.json$/.test(file.name) && file.gzip },
];

const PLACES = [homedir(), process.cwd(), process.env.CARGO_HOME, '/root/', '/home/', '/Users/', 'registry/src/'];

const folder = process.argv[2] ?? 'dist';
const names = readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile());
const files = names.sort().map((name) => {
  const bytes = readFileSync(join(folder, name));
  return {
    name,
    kind: extname(name),
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }).length,
  };
});

const kb = (bytes) => (bytes / KB).toFixed(1).padStart(9);
const width = Math.max(20, ...files.map((file) => file.name.length));
const row = (name, ...cells) => console.log(name.padEnd(width), ...cells);
row('kB', '      raw', '     gzip', '   brotli');
for (const file of files) row(file.name, kb(file.raw), kb(file.gzip), kb(file.brotli));

console.log();
let heavy = 0;
for (const { what, limit, of } of LIMITS) {
  const sum = files.reduce((total, file) => total + (of(file) || 0), 0);
  const fits = sum <= limit;
  heavy += fits ? 0 : 1;
  row(what, kb(sum), 'of', kb(limit), fits ? '' : '   TOO HEAVY');
}
if (!files.some((file) => file.kind === '.wasm')) {
  console.log(`${folder} holds no program: run trunk build --release`);
  heavy += 1;
}
let told = 0;
for (const { name, kind } of files) {
  if (!PAGE.includes(kind)) continue;
  const bytes = readFileSync(join(folder, name));
  // A folder of one level, such as `/`, is no sign of anything.
  const place = PLACES.find((path) => path?.length > 2 && bytes.includes(path));
  if (place === undefined) continue;
  const at = bytes.indexOf(place);
  console.log(`${name} holds a path of this machine: ${bytes.subarray(at, at + 80).toString('latin1')}`);
  told += 1;
}
process.exitCode = heavy + told > 0 ? 1 : 0;
