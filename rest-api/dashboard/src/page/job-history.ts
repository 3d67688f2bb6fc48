import { element, refill, type Child } from '../dom/element.ts';
import type { Attempt, Job, JobEvent } from '../api/types.ts';
import { throttled } from '../api/wait.ts';
import { count, duration, moment, secondsBetween, shortId, unknown, words } from '../format.ts';
import { emptyNote, table, timeOf } from '../part/parts.ts';
import { eventText } from '../part/event-text.ts';
import type { MakeTab } from './job-tab.ts';

/** What was tried, and what happened, the newest first. */
export const historyTab: MakeTab = ({ job, events, signal }) => {
  const attempts = element('div', { class: 'attempts' });
  const list = element('ol', { class: 'events card', reversed: true });
  const showAttempts = (now: Job) =>
    refill(
      attempts,
      now.attempts.length === 0
        ? emptyNote('No attempt yet.', element('p', {}, now.statusReason.message))
        : table('Attempts', ['Attempt', 'Server', 'Process', 'Started', 'Ran for', 'From step', 'Ended by'], now.attempts.map(attemptRow)),
    );
  const showEvents = () => refill(list, events.length === 0 ? element('li', { class: 'hint' }, 'Nothing was told yet.') : events.toReversed().map(eventRow));
  showAttempts(job);
  showEvents();
  return {
    element: element('div', {}, element('h2', {}, 'Attempts'), attempts, element('h2', {}, 'Events'), list),
    update: showAttempts,
    event: throttled(300, signal, showEvents),
  };
};

function attemptRow(attempt: Attempt): HTMLElement {
  const cells: Child[] = [
    element('code', { title: attempt.server }, shortId(attempt.server)),
    attempt.pid ?? unknown,
    timeOf(attempt.startedAt),
    duration(secondsBetween(attempt.startedAt, attempt.endedAt)),
    count(attempt.fromStep),
    attempt.endedAt === undefined ? 'runs' : [attempt.reason === undefined ? unknown : words(attempt.reason.toLowerCase()), exitOf(attempt)],
  ];
  return element('tr', {}, element('th', { scope: 'row' }, attempt.number), cells.map((cell) => element('td', {}, cell)));
}

function exitOf(attempt: Attempt): string {
  const exit = attempt.exit;
  return exit?.signal !== undefined ? ` (signal ${exit.signal})` : exit?.code ? ` (exit ${exit.code})` : '';
}

function eventRow(event: JobEvent): HTMLElement {
  return element(
    'li',
    { class: `event-${event.kind}` },
    element('time', { datetime: event.at }, moment(event.at)),
    element('span', { class: 'event-kind' }, event.kind),
    element('span', {}, eventText(event)),
  );
}
