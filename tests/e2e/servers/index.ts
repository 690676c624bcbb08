// Environment servers for tests, each on a free port of its own, stopped when they are no longer needed.
//
//   import { test, expect } from './servers';
//   test('…', async ({ page, servers }) => {
//     const { url } = await servers.berths();              a berth environment, shared by the tests of one worker
//     const slow = await servers.berths({ slow: 1 });      one of the test's own, which it may also stop
//     const fakes = await servers.fakes();                 misbehaving ones, shared: `${fakes.url}drop-2`, …
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';

const here = dirname(fileURLToPath(import.meta.url));
const venvs = resolve(here, '../../../target/venv');

/** `http://127.0.0.1:…/`, as a person would paste it, and the end of the server. */
export interface Server {
  url: string;
  stop(): Promise<void>;
}

/** A request as model_server.py saw it. */
export interface Asked {
  n: number;
  method: string;
  /** Below the address that the page was given, `/v1` included. */
  path: string;
  headers: Record<string, string>;
  body: any;
  /** Milliseconds since the server began. */
  at: number;
  status: number | null;
  /** Pieces sent so far. */
  chunks: number;
  /** How the answer ended; `left`: the page went away first. Null while it goes on. */
  end: 'whole' | 'dropped' | 'left' | null;
}

/** An answer of model_server.py, where each field is told. */
export interface Answer {
  path?: string;
  status?: number;
  content_type?: string;
  headers?: Record<string, string>;
  body?: string;
  stream_body?: string;
  delay?: number;
  piece?: number;
  hold?: number;
  drop?: number;
  silent?: boolean;
  flood?: number;
  cors?: boolean;
  again?: boolean;
}

/** A script of model_server.py: a case of tests/cases/episodes by its name, or answers. */
export interface Script {
  case?: string;
  answers?: Answer[];
  cors?: 'anthropic' | 'openai' | 'vllm' | 'litellm' | 'llamacpp' | 'ollama' | 'closed';
  key?: string;
  models?: object[];
}

/** A service that plays one script. */
export class ModelService {
  constructor(
    readonly server: string,
    readonly name: string,
  ) {}

  /** The address to give to the page. */
  get base(): string {
    return `${this.server}${this.name}/v1`;
  }
  /** Everything that came, preflights included. */
  async log(): Promise<Asked[]> {
    return (await fetch(`${this.server}__log/${this.name}`)).json();
  }
  /** The turns that were asked for. */
  async turns(): Promise<Asked[]> {
    return (await this.log()).filter(({ method }) => method === 'POST');
  }
  /** Lets the answer that is held go on. */
  async release(): Promise<void> {
    await fetch(`${this.server}__release/${this.name}`, { method: 'POST' });
  }
}

/** Scripted model services on one address. */
export interface Models extends Server {
  lay(script: Script): Promise<ModelService>;
}

export interface Servers {
  /** The quay environment of tests/cases/episodes on a real OpenEnv server. */
  quay(): Promise<Server>;
  /** Scripted model services. Those of the same `origin` are one server; keys are bound to origins. */
  models(origin?: string): Promise<Models>;
  /** A real LiteLLM proxy. Its model `loader` asks the service that `script` lays down. */
  litellm(): Promise<Server & { script(script: Script): Promise<ModelService> }>;
  /** A berth environment on a real OpenEnv server. One that differs in nothing but its version is shared. */
  berths(options?: Berths): Promise<Server>;
  /** Servers that misbehave, one for each path; the list is in fake_env.py. */
  fakes(): Promise<Server>;
}

export interface Berths {
  /** Which `openenv`: the newest, the oldest with metadata on the wire, or one before that (no prompt arrives). */
  version?: 'current' | 'oldest' | 'without-metadata';
  /** Seconds that each tool call takes. */
  slow?: number;
  maxSessions?: number;
  promptMissing?: boolean;
  /** A folder to serve from the same origin, so that the Task API can be read. */
  page?: string;
  cors?: boolean;
  /** A fixed port, to come back to after `stop`. */
  port?: number;
  /** Not shared, although nothing else is asked for: the test means to stop it. */
  own?: boolean;
}

function berthServer(options: Berths = {}): Promise<Server> {
  const { version = 'current' } = options;
  const args = ['--port', `${options.port ?? 0}`];
  if (options.slow) args.push('--slow', `${options.slow}`);
  if (options.maxSessions) args.push('--max-sessions', `${options.maxSessions}`);
  if (options.promptMissing) args.push('--prompt-missing');
  if (options.page) args.push('--page', options.page);
  if (options.cors) args.push('--cors');
  if (version !== 'without-metadata') return start(version, 'berth_env.py', args);
  // Only the package itself is that old; what it needs is taken from the environment next to it.
  return start('oldest', 'berth_env.py', args, { PYTHONPATH: resolve(venvs, 'without-metadata') });
}

async function modelServer(): Promise<Models> {
  const server = await start('current', 'model_server.py', ['--port', '0']);
  let count = 0;
  const lay = async (script: Script) => {
    const name = `s${++count}`;
    const laid = await fetch(`${server.url}__script/${name}`, { method: 'POST', body: JSON.stringify(script) });
    if (!laid.ok) throw new Error(`the script could not be laid down: ${await laid.text()}`);
    return new ModelService(server.url, name);
  };
  return { ...server, lay };
}

/** The proxy has the service that it asks in its configuration, so that one has a server and a name of its own. */
async function litellmServer() {
  const models = await start('current', 'model_server.py', ['--port', '0']);
  const upstream = new ModelService(models.url, 'loader');
  const proxy = await start('litellm', 'litellm_proxy.py', ['--port', '0', '--upstream', upstream.base]);
  const script = async (script: Script) => {
    await fetch(`${models.url}__script/loader`, { method: 'POST', body: JSON.stringify(script) });
    return upstream;
  };
  const stop = async () => {
    await Promise.all([proxy.stop(), models.stop()]);
  };
  return { url: proxy.url, stop, script };
}

/** Starts a Python server and waits for the line that tells its address. */
async function start(venv: string, script: string, args: string[], env: Record<string, string> = {}): Promise<Server> {
  const python = resolve(venvs, venv, 'bin/python');
  if (!existsSync(python)) throw new Error(`${python} is missing: run scripts/setup check`);
  const child = spawn(python, [resolve(here, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Also when the worker ends without taking its leave.
  process.once('exit', () => child.kill('SIGKILL'));
  let complaint = '';
  child.stderr.on('data', (text) => (complaint = `${complaint}${text}`.slice(-2000)));
  const url = await new Promise<string>((listening, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('http') && listening(line));
    child.once('exit', (code) => failed(new Error(`${script} ended with ${code} before it listened:\n${complaint}`)));
  });
  return { url, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  // Not asked politely: a polite server waits for its sockets, and the page may hold one open for good.
  child.kill('SIGKILL');
  await gone;
}

/** Servers by what makes them differ; each is started when it is first asked for. */
class Pool {
  #started = new Map<string, Promise<Server>>();

  get<T extends Server>(key: string, start: () => Promise<T>): Promise<T> {
    let server = this.#started.get(key) as Promise<T> | undefined;
    if (!server) this.#started.set(key, (server = start()));
    return server;
  }

  async stop(): Promise<void> {
    for (const server of await Promise.allSettled(this.#started.values())) {
      if (server.status === 'fulfilled') await server.value.stop();
    }
  }
}

/** `test` with the servers above. */
export const test = base.extend<{ servers: Servers }, { shared: Pool }>({
  // Sessions know nothing of each other, so one server does for many tests; starting one takes seconds.
  shared: [
    async ({}, use) => {
      const pool = new Pool();
      await use(pool);
      await pool.stop();
    },
    { scope: 'worker' },
  ],
  servers: async ({ shared }, use) => {
    const own = new Pool();
    let count = 0;
    await use({
      quay: () => shared.get('quay', () => start('current', 'quay_env.py', ['--port', '0'])),
      models: (origin = 'models') => shared.get(`models ${origin}`, modelServer),
      litellm: () => shared.get('litellm', litellmServer),
      fakes: () => shared.get('fakes', () => start('current', 'fake_env.py', ['--port', '0'])),
      berths: (options = {}) => {
        const { version = 'current', ...rest } = options;
        if (Object.keys(rest).length) return own.get(`${count++}`, () => berthServer(options));
        return shared.get(version, () => berthServer({ version }));
      },
    });
    await own.stop();
  },
});

export { expect } from '@playwright/test';
