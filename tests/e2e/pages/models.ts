import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page, type Route } from '@playwright/test';
import { ConnectScreen, Screen, Workbench } from './page';

/** Services by the word of a spec, as their cards are called. */
export const LABELS = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  hf: 'Hugging Face router',
  vllm: 'vLLM',
  openrouter: 'OpenRouter',
  litellm: 'LiteLLM proxy',
  ollama: 'Ollama',
  llamacpp: 'llama.cpp server',
  compatible: 'Any OpenAI-compatible address',
} as const;

export type Word = keyof typeof LABELS;

/** `#/models`. */
export class ModelsScreen extends Screen {
  async open(): Promise<void> {
    await this.page.goto('./#/models');
    await expect(this.heading('Models')).toBeVisible();
  }
  get inUse(): Locator {
    return this.page.getByRole('region', { name: 'In use' });
  }
  get pill(): Locator {
    return this.page.getByRole('banner').getByRole('link', { name: /^Models: / });
  }
  card(label: string): ServiceCard {
    return new ServiceCard(this.page, label);
  }
  /** The card of a service by the word of its specs, unfolded where it is not among the first. */
  async shown(word: Word): Promise<ServiceCard> {
    const card = this.card(LABELS[word]);
    if (!(await card.group.isVisible())) {
      await this.page.getByText(/^More services/).click();
      await expect(card.group).toBeVisible();
    }
    return card;
  }
  get forgetAll(): Locator {
    return this.page.getByRole('button', { name: 'Forget all keys' });
  }
}

/** The card of one service. */
export class ServiceCard {
  readonly group: Locator;

  constructor(
    readonly page: Page,
    readonly label: string,
  ) {
    this.group = page.getByRole('group', { name: label, exact: true });
  }
  get address(): Locator {
    return this.group.getByRole('textbox', { name: `${this.label} address`, exact: true });
  }
  /** A password field has no role. */
  get key(): Locator {
    return this.group.getByLabel(`${this.label} API key`, { exact: true });
  }
  get keep(): Locator {
    return this.group.getByRole('checkbox', { name: 'Keep on this device' });
  }
  get test(): Locator {
    return this.group.getByRole('button', { name: 'Test key, sends one short request' });
  }
  get forget(): Locator {
    return this.group.getByRole('button', { name: 'Forget this key' });
  }
  get model(): Locator {
    return this.group.getByRole('textbox', { name: `${this.label} model` });
  }
  get list(): Locator {
    return this.group.getByRole('list', { name: 'Listed models' });
  }
  button(name: string | RegExp): Locator {
    return this.group.getByRole('button', { name });
  }
  /** What the last request came to. */
  get status(): Locator {
    return this.group.getByRole('status');
  }
  /** Types a key and leaves the field. */
  async give(key: string): Promise<void> {
    await this.key.fill(key);
    await this.key.blur();
    await expect(this.key).toHaveValue('');
  }
  /** Address first: the key is bound to where the service is when it is typed. */
  async set(address: string, key?: string): Promise<void> {
    await this.address.fill(address);
    await this.address.press('Tab');
    if (key === undefined) return;
    await this.give(key);
  }
}

/** The fields of the run bar. */
export interface Limits {
  turns?: number;
  tokens?: number;
  minutes?: number;
  dollars?: number;
}

/** The run bar of a workbench. */
export class RunBar {
  constructor(readonly page: Page) {}

  get model(): Locator {
    return this.page.getByRole('combobox', { name: 'Model', exact: true });
  }
  field(name: string): Locator {
    return this.page.getByRole('spinbutton', { name, exact: true });
  }
  async choose(spec: string, limits: Limits = {}): Promise<void> {
    await this.model.fill(spec);
    await this.model.press('Tab');
    await this.#put('Most turns', limits.turns);
    await this.#put('Output tokens per turn', limits.tokens);
    await this.#put('Time limit in minutes', limits.minutes);
    await this.#put('Spend limit in dollars', limits.dollars);
  }
  async #put(name: string, value: number | undefined): Promise<void> {
    if (value === undefined) return;
    await this.field(name).fill(`${value}`);
    await this.field(name).press('Tab');
  }
}

/** The workbench of a task on a server, by its id, by the ways a person goes. */
export async function openTask(page: Page, server: string, task: string): Promise<Workbench> {
  const connect = new ConnectScreen(page);
  await connect.open();
  await connect.use(server);
  await page.getByRole('link', { name: 'Its tasks' }).click();
  const id = page.getByRole('textbox', { name: 'Task id on the server' });
  await id.fill(task);
  await id.press('Enter');
  const bench = new Workbench(page);
  await expect(bench.run).toBeVisible();
  return bench;
}

/** A workbench with a model chosen, its service named and its key typed. */
export async function stage(
  page: Page,
  { server, task, spec, address, key, limits }: {
    server: string;
    task: string;
    spec: string;
    address: string;
    key?: string;
    limits?: Limits;
  },
): Promise<Workbench> {
  const models = new ModelsScreen(page);
  await models.open();
  await (await models.shown(spec.split(':')[0] as Word)).set(address, key);
  const bench = await openTask(page, server, task);
  await new RunBar(page).choose(spec, limits);
  return bench;
}

/** The file that "Download JSON" gives, as text. */
export async function downloaded(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download JSON' }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

/** The record in it. */
export async function record(page: Page): Promise<any> {
  return JSON.parse(await downloaded(page));
}

/** What reached a service. */
export interface Call {
  url: string;
  method: string;
  headers: Record<string, string>;
}

/** Plays a service at an origin, with CORS as the real ones have it; `answer` is asked for each request but preflights. */
export async function service(
  page: Page,
  origin: string,
  answer: (call: Call) => { status?: number; body?: unknown; headers?: Record<string, string> } | 'silence',
): Promise<Call[]> {
  const calls: Call[] = [];
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*, authorization, x-api-key' };
  await page.route(`${origin}/**`, async (route: Route) => {
    const request = route.request();
    if (request.method() === 'OPTIONS') {
      await route.fulfill({ status: 204, headers: { ...cors, 'access-control-allow-methods': '*' } });
      return;
    }
    const call = { url: request.url(), method: request.method(), headers: await request.allHeaders() };
    calls.push(call);
    const told = answer(call);
    if (told === 'silence') return;
    await route.fulfill({
      status: told.status ?? 200,
      headers: { ...cors, 'content-type': 'application/json', ...told.headers },
      body: JSON.stringify(told.body ?? {}),
    });
  });
  return calls;
}
