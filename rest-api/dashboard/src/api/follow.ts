import { isFinal, request } from './client.ts';
import { StreamParser, type StreamEvent } from './sse.ts';
import type { JobEvent } from './types.ts';
import { backOff, wait } from './wait.ts';

export interface EventListener {
  /** Something happened. */
  event(event: JobEvent): void;
  /** Events are missing before the next: read everything again. */
  reset(): void;
  /** Whether the stream stands, for people to see. */
  connected(stands: boolean): void;
}

/**
 * Follows a job until its stream says `end`. A stream that ends without it was broken off, and is
 * taken up again behind the last event that came.
 */
export async function followEvents(job: string, listener: EventListener, signal: AbortSignal): Promise<void> {
  let last = '0';
  for (let tries = 0; !signal.aborted; ) {
    try {
      const response = await request(`v1/jobs/${job}/events`, {
        headers: { Accept: 'text/event-stream', 'Last-Event-ID': last },
        signal,
      });
      listener.connected(true);
      for await (const event of eventsOf(response)) {
        tries = 0;
        if (event.name === 'end') {
          return;
        }
        if (event.name === 'closing') {
          break; // the server ends, not the job
        }
        if (event.name === 'reset') {
          listener.reset();
        } else {
          last = event.id;
          listener.event(JSON.parse(event.data) as JobEvent);
        }
      }
    } catch (error) {
      if (signal.aborted || isFinal(error)) {
        return;
      }
    }
    listener.connected(false);
    await wait(backOff(++tries), signal).catch(() => {});
  }
}

async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  const parser = new StreamParser();
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield* parser.push(decoder.decode(read.value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
