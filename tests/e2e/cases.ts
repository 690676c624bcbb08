import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import type { Asked } from './servers';

// The episodes of tests/cases/episodes, and the rules by which two are compared (see the README there).

const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../cases/episodes');

export interface Episode {
  about: string;
  spec: string;
  task_id: string;
  run: { max_turns: number; max_tokens: number; wall_clock_s: number };
  env: { send: any; answer: any }[];
  model: { path: string; status: number; content_type: string; body: string; stream_body?: string }[];
  asked: { path: string; model: string; system?: string; history: any[] }[];
  record: any;
}

/** All of them, by name. */
export const episodes = new Map<string, Episode>(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => [file.slice(0, -5), JSON.parse(readFileSync(resolve(folder, file), 'utf8'))]),
);

// --- markers -------------------------------------------------------------------------------------------------------

/** A sentence of the loop's own. Which one is free, but it is the same wherever the marker stands. */
const MARKER = /@(opening|last_turn|nudge_no_tool|nudge_cut_off|notes_kept|notes|episode_over|args_not_json|args_not_object|turns_left\((\d+)\))/g;

/** What the page said in the markers' places, as far as it is known. */
export class Markers {
  #said = new Map<string, string>();

  /** The expected text if `got` is it, with any sentences for the markers; else `got`, to be seen beside it. */
  put(got: string, expected: string): string {
    const names: string[] = [];
    let pattern = '';
    let at = 0;
    for (const marker of expected.matchAll(MARKER)) {
      pattern += escaped(expected.slice(at, marker.index));
      at = marker.index + marker[0].length;
      // How many turns are left has to be told in figures.
      if (marker[2]) pattern += `([^\\n]*\\b${marker[2]}\\b[^\\n]*)`;
      else pattern += '([^\\n]+)';
      names.push(marker[0]);
    }
    const found = new RegExp(`^${pattern}${escaped(expected.slice(at))}$`).exec(got);
    if (!found) return got;
    for (const [i, name] of names.entries()) {
      const said = found[i + 1]!;
      if ((this.#said.get(name) ?? said) !== said) return got;
      if (name.startsWith('@args_') || name === '@episode_over') {
        if (typeof parsed(said)?.error !== 'string') return got;
      }
      this.#said.set(name, said);
    }
    return expected;
  }

  /** `put`, for every text in a value that has one at the same place of `expected`. */
  all(got: any, expected: any): any {
    if (typeof got === 'string' && typeof expected === 'string') return this.put(got, expected);
    if (Array.isArray(got) && Array.isArray(expected)) return got.map((item, i) => this.all(item, expected[i]));
    if (got && expected && typeof got === 'object' && typeof expected === 'object') {
      return Object.fromEntries(Object.entries(got).map(([key, value]) => [key, this.all(value, expected[key])]));
    }
    return got;
  }

  /** Two markers never stand for one sentence. */
  differ(): void {
    expect(new Set(this.#said.values()).size, 'sentences').toBe(this.#said.size);
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Arguments as JSON where they are JSON. */
const meant = (text: string) => parsed(text) ?? text;

// --- the record ----------------------------------------------------------------------------------------------------

/** A record in the form in which two are compared. */
export function comparable(record: any): any {
  const { episode_id, started, seconds, errors, messages, provider_switches, ...rest } = structuredClone(record);
  expect(typeof seconds).toBe('number');
  for (const message of messages) {
    for (const call of message.tool_calls ?? []) call.arguments = meant(call.arguments);
  }
  return {
    ...rest,
    messages,
    errors: errors.length,
    // Up to the status.
    ...(provider_switches && {
      provider_switches: provider_switches.map((text: string) => text.split(':').slice(0, 3).join(':')),
    }),
  };
}

// --- what the model was asked --------------------------------------------------------------------------------------

/** Texts of the user that follow each other are one; so are the model's pieces. */
type Said = ['user', string] | ['model', string, any[]] | ['tool', string, string];

/** A history by what it says, whichever API's it is. */
export function conversation(history: any[]): Said[] {
  const said: Said[] = [];
  const user = (text: string) => {
    const last = said.at(-1);
    if (last?.[0] === 'user') last[1] += `\n\n${text}`;
    else said.push(['user', text]);
  };
  const model = (text: string, calls: any[] = []) => {
    let last = said.at(-1);
    if (last?.[0] !== 'model') said.push((last = ['model', '', []]));
    last[1] += text;
    last[2]!.push(...calls);
  };
  for (const message of history) {
    const { content } = message;
    const blocks: any[] = Array.isArray(content) ? content : [];
    const kind = message.type ?? message.role;
    if (kind === 'function_call') model('', [[message.call_id, message.name, meant(message.arguments)]]);
    else if (kind === 'function_call_output') said.push(['tool', message.call_id, message.output]);
    else if (kind === 'reasoning' || kind === 'system') continue;
    else if (message.role === 'tool') said.push(['tool', message.tool_call_id, content]);
    else if (message.role === 'user') {
      if (typeof content === 'string') user(content);
      for (const block of blocks) {
        if (block.type !== 'tool_result') user(block.text);
        else said.push(['tool', block.tool_use_id, typeof block.content === 'string' ? block.content : block.content[0].text]);
      }
    } else if (message.role === 'assistant') {
      model(typeof content === 'string' ? content : '');
      for (const block of blocks) {
        if (block.type === 'tool_use') model('', [[block.id, block.name, block.input]]);
        else if (block.type === 'text' || block.type === 'output_text') model(block.text);
      }
      for (const { id, function: call } of message.tool_calls ?? []) model('', [[id, call.name, meant(call.arguments)]]);
    } else throw new Error(`no API has a message like ${JSON.stringify(message)}`);
  }
  return said;
}

/** A request to one of the three APIs by what it says. */
export function request({ path, body }: Pick<Asked, 'path' | 'body'>): object {
  const tools = body.tools.map((tool: any) => tool.name ?? tool.function.name);
  const history = body.messages ?? body.input;
  const system = body.system ?? body.instructions ?? history[0].content;
  const text = typeof system === 'string' ? system : system.map((block: any) => block.text).join('');
  return { path, model: body.model, system: text, tools, history: conversation(history) };
}

/** What a case says of its requests, in the same form. */
export function expectedRequests(episode: Episode): object[] {
  const listed = episode.env.find(({ send }) => send.data.type === 'list_tools')!;
  const tools = listed.answer.data.observation.tools.map((tool: any) => tool.name);
  return episode.asked.map(({ path, model, system, history }) => ({
    path,
    model,
    system: system ?? history[0].content,
    tools,
    history: conversation(history),
  }));
}
