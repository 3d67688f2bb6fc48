import { element, refill, type Child } from '../dom/element.ts';
import type { Job } from '../api/types.ts';
import { duration, secondsBetween, shortId } from '../format.ts';
import { textAt } from './json.ts';
import { levelBadge, timeOf } from './parts.ts';
import { progressBar, shareOf, stepsOf } from './progress.ts';
import { isOver, titleOf } from './job-state.ts';
import { stateBadge } from './state.ts';

/** What a job is, its state with the reason, and how far it is. */
export function jobHead(actions: HTMLElement) {
  const title = element('h1', { tabindex: -1 });
  const facts = element('p', { class: 'facts' });
  const state = element('div', { class: 'status' });
  const broken = element('p', { class: 'note', role: 'status', hidden: true }, 'Connection lost; trying again. What is shown may be old.');
  const progress = element('div', { class: 'job-progress' });
  const failure = element('div', {});
  return {
    element: element('div', { class: 'job-head' }, element('a', { class: 'back', href: '#/' }, '← Jobs'), element('div', { class: 'spread' }, title, actions), facts, broken, state, progress, failure),
    connected(stands: boolean) {
      broken.hidden = stands;
    },
    update(job: Job) {
      title.textContent = titleOf(job);
      refill(facts, factsOf(job));
      refill(state, stateBadge(job.state), element('span', {}, job.statusReason.message), element('span', { class: 'hint' }, timeOf(job.statusReason.since)));
      refill(progress, progressBar(job), element('p', { class: 'hint spread' }, element('span', {}, stepsAndEpochs(job)), element('span', {}, elapsed(job))));
      refill(failure, failureOf(job));
    },
  };
}

function factsOf(job: Job): Child[] {
  const from = job.resumedFrom;
  return [
    element('span', {}, job.network),
    levelBadge(job.level, textAt(job.resolved, '/precision/half')),
    element('code', { title: job.id }, shortId(job.id)),
    element('span', {}, `by ${job.owner}`),
    element('span', {}, 'submitted ', timeOf(job.createdAt)),
    Object.entries(job.labels).map(([key, value]) => element('span', { class: 'label' }, `${key}=${value}`)),
    from && element('span', {}, 'goes on from ', element('a', { href: `#/jobs/${from.job}` }, shortId(from.job)), ` at step ${from.step}`),
  ];
}

function stepsAndEpochs(job: Job): string {
  const progress = job.progress;
  const epochs = progress === undefined ? '' : `, epoch ${progress.epoch} of ${progress.epochs}`;
  return stepsOf(job) + epochs;
}

function elapsed(job: Job): string {
  const seconds = secondsBetween(job.startedAt, job.endedAt);
  const ran = seconds === undefined ? '' : `${duration(seconds)}${isOver(job.state) ? '' : ' so far'}`;
  return [shareOf(job), ran].filter((part) => part !== '').join(' · ');
}

function failureOf(job: Job): Child {
  const failure = job.failure;
  return (
    failure &&
    element(
      'div',
      { class: 'note note-error' },
      element('strong', {}, `Failed: ${failure.type}`),
      element('span', {}, failure.detail),
      element(
        'span',
        { class: 'hint' },
        [failure.cell && `cell ${failure.cell}`, failure.step !== undefined && `step ${failure.step}`, failure.oomKilled && 'killed for its memory', failure.retryable ? 'may work if tried again' : 'will fail again as it is']
          .filter(Boolean)
          .join(' · '),
      ),
      failure.logTail && element('details', {}, element('summary', {}, 'Its last lines'), element('pre', { tabindex: 0 }, failure.logTail)),
    )
  );
}
