import type { Job, JobState, JobSummary } from '../api/types.ts';

export function stateWord(state: JobState): string {
  return state.charAt(0) + state.slice(1).toLowerCase();
}

/** Whether a job is over for good. */
export function isOver(state: JobState): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED' || state === 'CANCELLED';
}

/** What people call a job. */
export function titleOf(job: JobSummary | Job): string {
  return job.name ?? job.network;
}
