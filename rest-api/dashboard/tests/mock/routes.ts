import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Job, JobPage, JobSummary, JsonObject, Level } from '../../src/api/types.ts';
import { textAt } from '../../src/part/json.ts';
import { datasets, devices, levels, networks } from './catalogue.ts';
import { openApiDocument } from './document.ts';
import { fakeMetrics } from './metrics.ts';
import { fakePlan } from './plan.ts';
import { fakeArtifacts, fakeSummary, type FakeService } from './service.ts';
import { streamEvents, streamLog } from './streams.ts';

export interface Call {
  service: FakeService;
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  body: JsonObject;
}

const document = openApiDocument();

/** Answers a request to the API. */
export function answer(call: Call): void {
  const parts = call.url.pathname.split('/').filter((part) => part !== '');
  const route = `${call.request.method} ${parts.slice(0, 2).join('/')}`;
  switch (route) {
    case 'GET openapi.json':
      return json(call, 200, document);
    case 'GET v1/networks':
      return json(call, 200, { networks });
    case 'GET v1/datasets':
      return json(call, 200, { datasets });
    case 'GET v1/devices':
      return json(call, 200, devices);
    case 'GET v1/levels':
      return json(call, 200, { levels });
    case 'POST v1/comparisons':
      return json(call, 202, compare(call));
    case 'GET v1/comparisons':
      return json(call, 200, call.service.comparison([...call.service.jobs.keys()].slice(0, 3)));
    case 'POST v1/jobs':
      return parts.length === 2 ? submit(call) : act(call, parts);
    case 'GET v1/jobs':
      return parts.length === 2 ? json(call, 200, list(call)) : read(call, parts);
    case 'DELETE v1/jobs':
      call.service.jobs.delete(parts[2]!);
      call.response.writeHead(204).end();
      return;
    default:
      problem(call, 404, 'not-found', 'There is nothing at this path.');
  }
}

function list({ service, url }: Call): JobPage {
  const query = url.searchParams;
  const states = query.getAll('state');
  const limit = Number(query.get('limit') ?? 50);
  const from = Number(query.get('next') ?? 0);
  const network = query.get('network');
  const level = query.get('level');
  const all = [...service.jobs.values()].filter(
    (job) => (states.length === 0 || states.includes(job.state)) && (network === null || job.network === network) && (level === null || job.level === level),
  );
  const page = all.slice(from, from + limit).map(summaryOf);
  return from + limit < all.length ? { jobs: page, next: String(from + limit) } : { jobs: page };
}

function summaryOf(job: Job): JobSummary {
  const { specification: _, resolved: __, attempts: ___, exit: ____, failure: _____, ...summary } = job;
  return summary;
}

function submit(call: Call): void {
  const network = textAt(call.body, '/network/name');
  if (network !== undefined && !networks.some(({ name }) => name === network)) {
    return problem(call, 422, 'invalid-specification', 'The specification cannot be trained.', [{ pointer: '/network/name', message: `There is no network “${network}”.`, allowed: networks.map(({ name }) => name).join(', ') }]);
  }
  const schedule = textAt(call.body, '/training/schedule');
  if (schedule === 'wrong') {
    return problem(call, 422, 'invalid-specification', 'The specification cannot be trained.', [{ pointer: '/training/schedule', message: 'There is no schedule “wrong”.', allowed: 'constant, cosine, piecewise' }]);
  }
  if (call.url.searchParams.get('dryRun') === 'true') {
    return json(call, 200, call.service.dryRun(call.body));
  }
  json(call, 202, call.service.add(call.body));
}

function compare({ service, body }: Call) {
  const specification = body['specification'] as JsonObject;
  const jobs = (body['levels'] as string[]).map((level) => service.add({ ...specification, precision: { level } }));
  return service.comparison(jobs.map((job) => job.id));
}

function act(call: Call, parts: string[]): void {
  const job = call.service.jobs.get(parts[2]!);
  if (job === undefined) {
    return problem(call, 404, 'not-found', 'There is no such job.');
  }
  if (parts[3] === 'cancel') {
    call.service.move(job, 'CANCELLING', 'CANCELLING', 'Its worker saves its state and ends.');
  } else if (parts[3] === 'pause') {
    call.service.move(job, 'PAUSED', 'PAUSED_BY_REQUEST', 'Paused by request.');
  } else if (job.state === 'FAILED') {
    return problem(call, 409, 'no-checkpoint', 'The job has no checkpoint to go on from.');
  } else {
    call.service.move(job, 'QUEUED', 'WAITING_FOR_WORKER', 'Next in the queue.');
  }
  json(call, 202, job);
}

function read(call: Call, parts: string[]): void {
  const { service, url } = call;
  const job = service.jobs.get(parts[2]!);
  if (job === undefined) {
    return problem(call, 404, 'not-found', 'There is no such job.');
  }
  const number = (key: string, otherwise: number) => Number(url.searchParams.get(key) ?? otherwise);
  switch (parts[3]) {
    case undefined:
      return json(call, 200, job);
    case 'events':
      return streamEvents(call, job);
    case 'logs':
      return streamLog(call, job);
    case 'metrics':
      return call.request.headers.accept === 'text/csv' ? text(call, 'step,loss\n1,2.3\n', 'text/csv') : json(call, 200, fakeMetrics(job, number('points', 2000), number('from', 1), number('to', Infinity)));
    case 'plan':
      return json(call, 200, fakePlan(job.network, job.level as Level, textAt(job.resolved, '/precision/half') ?? 'fp16'));
    case 'summary':
      return json(call, 200, fakeSummary(job));
    case 'artifacts':
      return parts[4] === undefined ? json(call, 200, { artifacts: fakeArtifacts(job) }) : text(call, 'content', 'application/octet-stream');
    default:
      problem(call, 404, 'not-found', 'There is nothing at this path.');
  }
}

function json({ response }: Call, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function text({ response }: Call, body: string, type: string): void {
  response.writeHead(200, { 'Content-Type': type }).end(body);
}

export function problem({ response, url }: Call, status: number, kind: string, detail: string, errors?: object[]): void {
  const body = { type: `/docs#problem-${kind}`, title: kind.replaceAll('-', ' '), status, detail, instance: url.pathname, ...(errors ? { errors } : {}) };
  response.writeHead(status, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(body));
}
