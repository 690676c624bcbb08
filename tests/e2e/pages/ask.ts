import { type Page } from '@playwright/test';

/** What a page may read of an answer. */
export interface Heard {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** How it ended early. */
  error?: string;
}

/** A request as a page would send it to another origin. */
export function ask(page: Page, url: string, body?: object, headers: Record<string, string> = {}, giveUpMs = 0): Promise<Heard> {
  return page.evaluate(
    async ([url, body, headers, giveUpMs]) => {
      const heard: Heard = {};
      const gone = giveUpMs ? { signal: AbortSignal.timeout(giveUpMs) } : {};
      try {
        const answer = await fetch(url, {
          ...gone,
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
          headers: { 'content-type': 'application/json', ...headers },
        });
        heard.status = answer.status;
        heard.headers = Object.fromEntries(answer.headers);
        heard.body = '';
        const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
        for (let next; !(next = await reader.read()).done; ) heard.body += next.value;
      } catch (error) {
        heard.error = (error as Error).name;
      }
      return heard;
    },
    [url, body, headers, giveUpMs] as const,
  );
}

/** What Anthropic wants from a page. */
export const optIn = { 'anthropic-version': '2026-10-21', 'anthropic-dangerous-direct-browser-access': 'true' };
