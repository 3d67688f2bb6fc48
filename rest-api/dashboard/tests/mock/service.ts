import type { Artifact, Comparison, DryRun, Job, JobEvent, JobState, JsonObject, Level } from '../../src/api/types.ts';
import { textAt } from '../../src/part/json.ts';
import { devices } from './catalogue.ts';
import { attack, fakeJobs, idOf, now, resolvedOf, totalSteps } from './jobs.ts';
import { fakePlan } from './plan.ts';

/** Jobs that move only when told to. */
export class FakeService {
  readonly jobs: Map<string, Job>;
  readonly events = new Map<string, JobEvent[]>();
  readonly logs = new Map<string, string>();
  private readonly listeners = new Set<() => void>();

  constructor(count: number) {
    this.jobs = new Map(fakeJobs(count).map((job) => [job.id, job]));
  }

  /** Runs the listener after each change until the answer is called. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed(): void {
    this.listeners.forEach((listener) => listener());
  }

  eventsOf(job: Job): JobEvent[] {
    let events = this.events.get(job.id);
    if (events === undefined) {
      events = [];
      this.events.set(job.id, events);
      record(events, job, 'state', { from: 'QUEUED', to: 'STARTING', reason: { code: 'STARTING_WORKER', message: 'Its worker is being started.' } });
      record(events, job, 'state', { from: 'STARTING', to: 'RUNNING', reason: { code: 'TRAINING', message: 'Its worker trains.' } });
      record(events, job, 'overflow', { step: 268, count: 1 });
      record(events, job, 'scale', { step: 268, from: 65536, to: 32768 });
      record(events, job, 'checkpoint', { step: 469, name: 'step-469' });
      record(events, job, 'epoch', { epoch: 1, meanLoss: 0.91, samples: 60_000, refused: 1, seconds: 51.3 });
      record(events, job, 'epoch', { epoch: 1, metrics: { test_accuracy: 0.781 } });
      record(events, job, 'notice', { message: `Batches come late: ${attack}` });
    }
    return events;
  }

  tell(job: Job, kind: JobEvent['kind'], data: JsonObject): void {
    record(this.eventsOf(job), job, kind, data);
    this.changed();
  }

  logOf(job: Job): string {
    const log = this.logs.get(job.id) ?? fakeLog(job);
    this.logs.set(job.id, log);
    return log;
  }

  print(job: Job, text: string): void {
    this.logs.set(job.id, this.logOf(job) + text);
    this.changed();
  }

  /** So many steps more of a job that runs. */
  advance(id: string, steps: number): void {
    const job = this.jobs.get(id)!;
    const step = Math.min(totalSteps, job.progress!.step + steps);
    job.progress = { ...job.progress!, step, fraction: step / totalSteps, epoch: Math.floor(step / 469) + 1 };
    job.revision++;
    this.tell(job, 'step', { step, loss: job.metrics['loss']! });
  }

  move(job: Job, state: JobState, code: string, message: string): void {
    const from = job.state;
    const at = new Date().toISOString();
    Object.assign(job, { state, statusReason: { code, message, since: at }, revision: job.revision + 1 });
    if (['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(state)) {
      job.endedAt = at;
    }
    this.tell(job, 'state', { from, to: state, reason: { code, message } });
  }

  add(specification: JsonObject): Job {
    const job: Job = {
      ...fakeJobs(4)[3]!,
      id: idOf(this.jobs.size),
      specification,
      resolved: resolvedOf(specification),
      network: textAt(specification, '/network/name') ?? 'cells',
      level: (textAt(specification, '/precision/level') ?? 'O0') as Level,
      createdAt: new Date().toISOString(),
    };
    const name = textAt(specification, '/name');
    delete job.name;
    const named = name === undefined ? job : { ...job, name };
    this.jobs.set(named.id, named);
    return named;
  }

  dryRun(specification: JsonObject): DryRun {
    const resolved = resolvedOf(specification);
    const network = textAt(specification, '/network/name') ?? 'cells';
    const level = (textAt(resolved, '/precision/level') ?? 'O0') as Level;
    const plan = fakePlan(network, level, textAt(resolved, '/precision/half') ?? 'fp16');
    return {
      resolved,
      network,
      level,
      epochs: 10,
      stepsPerEpoch: 469,
      totalSteps,
      batchSize: 128,
      memory: { bytes: plan.estimated_peak_bytes ?? 0, limitBytes: devices.jobLimitBytes, parts: plan.estimated_parts ?? {}, text: '439 MiB at most' },
      plan,
    };
  }

  comparison(ids: string[]): Comparison {
    const jobs = ids.map((id) => this.jobs.get(id)!);
    return {
      id: 'c'.repeat(32),
      ended: jobs.every((job) => job.state === 'SUCCEEDED'),
      rows: jobs.map((job) => ({ job: job.id, level: job.level, seed: 1, state: job.state, metrics: job.metrics })),
      levels: [...new Set(jobs.map((job) => job.level))].map((level) => {
        const of = jobs.filter((job) => job.level === level);
        const succeeded = of.filter((job) => job.state === 'SUCCEEDED').length;
        return { level, jobs: of.length, succeeded, ...(succeeded > 0 ? { results: fakeResults(level) } : {}) };
      }),
    };
  }
}

function record(events: JobEvent[], job: Job, kind: JobEvent['kind'], data: JsonObject): void {
  const at = new Date(now - (60 - events.length) * 1000).toISOString();
  events.push({ job: job.id, number: events.length + 1, attempt: 1, at, kind, data });
}

function fakeResults(level: string) {
  return level === 'O0'
    ? { testAccuracy: 0.9331, testLoss: 0.1981, finalTrainLoss: 0.0892, overflowSteps: 0, stepMilliseconds: 148.2, samplesPerSecond: 861.3, peakBytes: 612_368_384 }
    : { testAccuracy: 0.933, testLoss: 0.1963, finalTrainLoss: 0.0888, overflowSteps: 3, stepMilliseconds: 101.9, samplesPerSecond: 1253, peakBytes: 467_894_272 };
}

/** summary.json of a run. */
export function fakeSummary(job: Job): JsonObject {
  const results = fakeResults(job.level);
  return {
    network: job.network,
    level: job.level,
    test_accuracy: results.testAccuracy,
    test_loss: results.testLoss,
    final_train_loss: results.finalTrainLoss,
    overflow_steps: results.overflowSteps,
    step_ms_median: results.stepMilliseconds,
    samples_per_second: results.samplesPerSecond,
    peak_rss_bytes: results.peakBytes,
  };
}

export function fakeArtifacts(job: Job): Artifact[] {
  const file = (name: string, bytes: number, mediaType: string): Artifact => ({ name, bytes, mediaType, sha256: '9f86d081884c7d65'.repeat(4), modifiedAt: job.endedAt ?? job.createdAt });
  const always = [file('specification.json', 912, 'application/json'), file('plan.txt', 6731, 'text/plain'), file('metrics.jsonl', 811_222, 'application/x-ndjson')];
  return job.state === 'SUCCEEDED' ? [file('model.safetensors', 1_096_240, 'application/octet-stream'), file('summary.json', 1502, 'application/json'), ...always] : job.progress ? always : [];
}

function fakeLog(job: Job): string {
  const reached = job.progress?.step ?? 0;
  const lines = reached === 0 ? [] : ['halfcell 0.1.0-SNAPSHOT, Java 25.0.3, oneDNN 3.11.0', `Training ${job.network} at ${job.level} on fashion-mnist, 60,000 train / 10,000 test`, `notice: ${attack}`];
  for (let step = 10; step <= reached; step += 10) {
    lines.push(`step ${String(step).padStart(5)}  epoch ${Math.floor(step / 469) + 1}  loss ${(2.2 * Math.exp(-step / 420) + 0.1).toFixed(4)}  scale 65536  101.9 ms`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
