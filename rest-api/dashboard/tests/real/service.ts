import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from '../mock/folders.ts';
import type { Job, JobSummary } from '../../src/api/types.ts';

export interface RealService {
  /** Where it is asked, with a slash at the end. */
  address: string;
  /** A job as the service tells of it. */
  job(id: string): Promise<Job>;
  /** All jobs there are, at most 200. */
  jobs(): Promise<JobSummary[]>;
  /** Asks it to end, which has to work, and removes what it kept. */
  end(): Promise<void>;
}

export interface ServiceOptions {
  /** The lines of a token file; without any, nobody is asked for a token. */
  tokens?: string;
  /** A token to ask with, for this object's own questions. */
  token?: string;
  /** A folder that it finds, and that is left; without one, it gets an empty one. */
  data?: string;
}

/** Starts `halfcell serve` in a process of its own, on the sample that every checkout carries. */
export async function startService({ tokens, token, data }: ServiceOptions = {}): Promise<RealService> {
  const folder = mkdtempSync(join(tmpdir(), 'halfcell-real-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const options = ['--port=0', `--data=${data ?? join(folder, 'jobs')}`, `--settings=${file('settings.yaml', 'dataset: embedded\n')}`];
  if (tokens !== undefined) {
    options.push(`--token-file=${file('tokens', tokens)}`);
  }
  const service = spawn(join(repository, 'halfcell'), ['serve', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  service.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-20_000)));
  const ended = new Promise<number | null>((resolve) => service.on('exit', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    let printed = '';
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const line = /^Serving jobs at (http:\S+); dashboard: \S+\n/.exec(printed);
      if (line !== null) {
        resolve(`${line[1]!}/`);
      }
    });
    void ended.then((code) => reject(new Error(`No service, exit code ${String(code)}: ${printed}${said}`)));
  });
  async function ask<T>(path: string): Promise<T> {
    const answer = await fetch(address + path, { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200, path);
    return (await answer.json()) as T;
  }
  return {
    address,
    job: (id) => ask<Job>(`v1/jobs/${id}`),
    jobs: async () => (await ask<{ jobs: JobSummary[] }>('v1/jobs?limit=200')).jobs,
    async end() {
      service.kill('SIGTERM');
      const code = await Promise.race([ended, sleep(30_000, 'no end', { ref: false })]);
      service.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      assert.equal(code, 0, `the service ended with ${String(code)}: ${said}`);
    },
  };
}

/** Asks again and again until the answer is as wanted; gives that answer. */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean, what: string, seconds = 60): Promise<T> {
  for (let left = seconds * 10; ; left--) {
    const answer = await ask();
    if (wanted(answer)) {
      return answer;
    }
    assert.ok(left > 0, `${what}: after ${seconds} s it is ${JSON.stringify(answer)}`);
    await sleep(100);
  }
}
