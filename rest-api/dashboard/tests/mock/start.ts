import { idOf } from './jobs.ts';
import { startServer } from './server.ts';

/** For people: the dashboard over fakes, with a job that trains while it is looked at. */
const server = await startServer(10_000, 8099);
setInterval(() => server.service.advance(idOf(0), 3), 400);
process.stdout.write(`${server.address}\n`);
