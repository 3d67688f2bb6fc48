import { askForToken, forgetToken, storedToken } from './token.ts';
import type { Problem } from './types.ts';

/** A request that was refused; `problem` says why and which fields are at fault. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Whether asking again is in vain: what is gone, or not ours to see, does not come back. */
export function isFinal(error: unknown): boolean {
  return error instanceof Refused && [403, 404].includes(error.problem.status);
}

/** A server that did not answer, or not as agreed. */
export class Unreachable extends Error {}

export interface Ask {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Asks for JSON. */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal ? { signal } : {});
  return (await response.json()) as T;
}

/** Sends JSON, or nothing, and reads JSON. */
export async function postJson<T>(path: string, ask: Ask): Promise<T> {
  const response = await request(path, { method: 'POST', ...ask });
  return (await response.json()) as T;
}

/** Any request; asks for a token where the server wants one, and tries again. */
export async function request(path: string, ask: Ask = {}): Promise<Response> {
  for (;;) {
    const sent = storedToken();
    const response = await send(path, ask, sent);
    if (response.ok) {
      return response;
    }
    if (response.status !== 401) {
      throw new Refused(await readProblem(response));
    }
    const stored = storedToken();
    if (stored !== null && stored !== sent) {
      continue; // A refusal of what was sent before this token was typed says nothing of it.
    }
    // The answer's own words are for programs, and the same in both cases.
    const message = stored === null ? 'This server asks for a token.' : 'This server does not know that token.';
    forgetToken();
    await askForToken(message);
  }
}

async function send(path: string, ask: Ask, token: string | null): Promise<Response> {
  const headers = new Headers(ask.headers);
  if (token !== null) {
    headers.set('Authorization', `Bearer ${token}`);
  }
  const options: RequestInit = { method: ask.method ?? 'GET', headers, cache: 'no-store' };
  if (ask.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    options.body = JSON.stringify(ask.body);
  }
  if (ask.signal) {
    options.signal = ask.signal;
  }
  try {
    return await fetch(path, options);
  } catch (error) {
    if (ask.signal?.aborted) {
      throw error;
    }
    throw new Unreachable('The server does not answer.', { cause: error });
  }
}

async function readProblem(response: Response): Promise<Problem> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('application/problem+json')) {
    return (await response.json()) as Problem;
  }
  return {
    type: 'about:blank',
    title: 'Unexpected answer',
    status: response.status,
    detail: `The server answered ${response.status} without saying why.`,
  };
}

/** A key that lets a request be sent again without being done twice; works without HTTPS too. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
