import { element } from '../dom/element.ts';
import type { JobSummary } from '../api/types.ts';
import { count, percent, roughly } from '../format.ts';
import { isOver, titleOf } from './job-state.ts';

/** A bar with how far a job is; a job that has not begun has an empty one. */
export function progressBar(job: JobSummary): HTMLElement {
  const fraction = job.progress?.fraction ?? (job.state === 'SUCCEEDED' ? 1 : 0);
  return element('progress', {
    class: `bar bar-${job.state.toLowerCase()}`,
    max: 1,
    value: fraction,
    'aria-label': `Progress of ${titleOf(job)}`,
  });
}

/** Step 1,930 of 4,690. */
export function stepsOf(job: JobSummary): string {
  const progress = job.progress;
  if (!progress) {
    return 'not begun';
  }
  const of = progress.totalSteps === undefined ? '' : ` of ${count(progress.totalSteps)}`;
  return `step ${count(progress.step)}${of}`;
}

/** 41 %, 3 min left. */
export function shareOf(job: JobSummary): string {
  const progress = job.progress;
  if (!progress) {
    return '';
  }
  const left = progress.etaSeconds;
  const eta = left === undefined || isOver(job.state) ? '' : `, ${roughly(left)} left`;
  return percent(progress.fraction, 0) + eta;
}
