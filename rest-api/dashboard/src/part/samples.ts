import type { Job } from '../api/types.ts';
import { numberAt } from './json.ts';

/** How many samples a step of the job sees. */
export function samplesPerStep(job: Job): number {
  const batch = numberAt(job.resolved, '/training/batchSize') ?? 1;
  const batches = numberAt(job.resolved, '/training/accumulation/microBatches') ?? numberAt(job.resolved, '/training/accumulation') ?? 1;
  return batch * batches;
}
