import type { Job, Metrics } from '../api/types.ts';

const tested = ['test_accuracy', 'test_loss'];

/** The metrics with what came out at the end, where no epoch was tested: a job is tested once, then. */
export function withEnd(metrics: Metrics, job: Job): Metrics {
  const values = Object.fromEntries(Object.entries(job.metrics).filter(([key]) => tested.includes(key)));
  const known = metrics.epochs.some((epoch) => tested.some((key) => epoch.values[key] !== undefined));
  if (known || job.progress === undefined || Object.keys(values).length === 0) {
    return metrics;
  }
  const { epoch, step } = job.progress;
  return { ...metrics, epochs: [...metrics.epochs, { epoch, step, values }] };
}
