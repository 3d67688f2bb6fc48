import { isFinal, request } from './client.ts';
import { backOff, wait } from './wait.ts';

/** The last lines of a job's log, and the byte behind them. */
export async function readLogTail(job: string, lines: number, signal: AbortSignal): Promise<LogPart> {
  const response = await request(`v1/jobs/${job}/logs?tail=${lines}`, {
    headers: { Accept: 'text/plain' },
    signal,
  });
  return { text: await response.text(), position: Number(response.headers.get('Log-Position') ?? 0) };
}

export interface LogPart {
  text: string;
  position: number;
}

/** Tells what is written behind that byte until the job is over, over broken connections. */
export async function followLog(
  job: string,
  from: number,
  told: (text: string) => void,
  ended: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  let position = from;
  for (let tries = 0; !signal.aborted; ) {
    try {
      const response = await request(`v1/jobs/${job}/logs?since=${position}&follow=true`, {
        headers: { Accept: 'text/plain' },
        signal,
      });
      const decoder = new TextDecoder();
      const reader = response.body!.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        tries = 0;
        position += read.value.length;
        told(decoder.decode(read.value, { stream: true }));
      }
      // The end of a log looks like a broken connection, so the job has to say that it is over.
      if (await ended()) {
        return;
      }
    } catch (error) {
      if (signal.aborted || isFinal(error)) {
        return;
      }
    }
    await wait(backOff(++tries), signal).catch(() => {});
  }
}
