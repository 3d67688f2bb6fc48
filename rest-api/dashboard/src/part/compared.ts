import { getJson, Refused } from '../api/client.ts';
import type { Job, JsonObject, Metrics, Results } from '../api/types.ts';
import { numberAt, textAt } from './json.ts';
import { secondsBetween } from '../format.ts';
import { withEnd } from './measured.ts';
import { titleOf } from './job-state.ts';

/** A job with what it is compared by. */
export interface Compared {
  job: Job;
  name: string;
  metrics: Metrics;
  results: Results;
  seconds: number | undefined;
}

/** Reads a job, its curves and, once it has succeeded, its results. */
export async function loadCompared(id: string, signal: AbortSignal): Promise<Compared> {
  const path = `v1/jobs/${encodeURIComponent(id)}`;
  const [job, metrics] = await Promise.all([getJson<Job>(path, signal), getJson<Metrics>(`${path}/metrics?points=800`, signal)]);
  const summary = job.state === 'SUCCEEDED' ? await summaryOf(path, signal) : undefined;
  const overflows = metrics.overflows.reduce((sum, steps) => sum + steps, 0);
  return {
    job,
    name: nameOf(job),
    metrics: withEnd(metrics, job),
    results: { overflowSteps: overflows, ...latest(job), ...(summary && resultsOf(summary)) },
    seconds: secondsBetween(job.startedAt, job.endedAt),
  };
}

/** A summary may have been deleted or not be there yet; curves are compared all the same. */
async function summaryOf(path: string, signal: AbortSignal): Promise<JsonObject | undefined> {
  try {
    return await getJson<JsonObject>(`${path}/summary`, signal);
  } catch (error) {
    if (error instanceof Refused && [404, 409].includes(error.problem.status)) {
      return undefined;
    }
    throw error;
  }
}

function nameOf(job: Job): string {
  const half = job.level === 'O0' ? '' : ` ${textAt(job.resolved, '/precision/half') ?? ''}`;
  return `${titleOf(job)} · ${job.level}${half}`;
}

/** What is known of a job that has not ended. */
function latest(job: Job): Results {
  return known({ testAccuracy: job.metrics['test_accuracy'], finalTrainLoss: job.metrics['loss'], samplesPerSecond: job.metrics['samplesPerSecond'] });
}

function resultsOf(summary: JsonObject): Results {
  return known({
    testAccuracy: numberAt(summary, '/test_accuracy'),
    testLoss: numberAt(summary, '/test_loss'),
    finalTrainLoss: numberAt(summary, '/final_train_loss'),
    overflowSteps: numberAt(summary, '/overflow_steps'),
    stepMilliseconds: numberAt(summary, '/step_ms_median'),
    samplesPerSecond: numberAt(summary, '/samples_per_second'),
    peakBytes: numberAt(summary, '/peak_rss_bytes'),
  });
}

function known(results: { [K in keyof Results]: number | undefined }): Results {
  return Object.fromEntries(Object.entries(results).filter(([, value]) => value !== undefined));
}
