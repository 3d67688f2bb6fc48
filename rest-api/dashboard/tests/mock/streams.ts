import type { Job } from '../../src/api/types.ts';
import { isOver } from '../../src/part/job-state.ts';
import type { Call } from './routes.ts';

/** How often a stream of a job was asked for with which Last-Event-ID. */
export const asked: { job: string; last: number }[] = [];

/** The jobs whose next stream is broken off after its events. */
export const breaking = new Set<string>();

/** text/event-stream, behind the event that the reader has seen. */
export function streamEvents({ service, request, response }: Call, job: Job): void {
  let sent = Number(request.headers['last-event-id'] ?? 0);
  asked.push({ job: job.id, last: sent });
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(': hello\n\n');
  const send = () => {
    for (const event of service.eventsOf(job).slice(sent)) {
      sent = event.number;
      response.write(`id: ${event.number}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    if (isOver(service.jobs.get(job.id)?.state ?? 'CANCELLED')) {
      response.end(`event: end\ndata: ${JSON.stringify({ state: job.state })}\n\n`);
    } else if (breaking.delete(job.id)) {
      response.destroy();
    }
  };
  response.on('close', service.listen(send));
  send();
}

/** The tail of a log, or what is printed behind a byte. */
export function streamLog({ service, response, url }: Call, job: Job): void {
  const query = url.searchParams;
  const log = () => Buffer.from(service.logOf(job));
  const lines = Number(query.get('tail') ?? 0);
  let sent = Number(query.get('since') ?? 0);
  response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Log-Position': String(log().length) });
  if (query.get('follow') !== 'true') {
    const text = service.logOf(job);
    response.end(lines > 0 ? text.split('\n').slice(-lines - 1).join('\n') : text);
    return;
  }
  const send = () => {
    const now = log();
    response.write(now.subarray(sent));
    sent = now.length;
    if (isOver(job.state)) {
      response.end();
    }
  };
  response.on('close', service.listen(send));
  response.flushHeaders();
  send();
}
