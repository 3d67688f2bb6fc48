import { drawing, element } from '../dom/element.ts';
import type { JobState } from '../api/types.ts';
import { stateWord } from './job-state.ts';

const shapes: Record<JobState, string> = {
  QUEUED: 'M6 2.5V6l2.4 1.6M11 6A5 5 0 1 1 1 6a5 5 0 0 1 10 0',
  STARTING: 'M6 1v2M6 9v2M1 6h2M9 6h2M2.5 2.5l1.4 1.4M8.1 8.1l1.4 1.4M2.5 9.5l1.4-1.4M8.1 3.9l1.4-1.4',
  RUNNING: 'M3.5 2l6 4-6 4z',
  PAUSED: 'M4 2.5v7M8 2.5v7',
  INTERRUPTED: 'M7 1L3 7h3l-1 4 4-6H6z',
  CANCELLING: 'M2.5 6h7',
  SUCCEEDED: 'M2 6.5l2.8 2.8L10 3.5',
  FAILED: 'M3 3l6 6M9 3l-6 6',
  CANCELLED: 'M2.5 9.5l7-7M11 6A5 5 0 1 1 1 6a5 5 0 0 1 10 0',
};

/** A state as a word with a sign, so that colour is not all that tells it. */
export function stateBadge(state: JobState): HTMLElement {
  return element(
    'span',
    { class: `state state-${state.toLowerCase()}` },
    drawing('svg', { viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': 'true' }, drawing('path', { d: shapes[state] })),
    stateWord(state),
  );
}
