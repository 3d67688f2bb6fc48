import { element, type Child } from '../dom/element.ts';
import { moment, ago } from '../format.ts';
import { Refused } from '../api/client.ts';

/** What is shown where there is nothing yet, with what to do about it. */
export function emptyNote(title: string, ...rest: Child[]): HTMLElement {
  return element('div', { class: 'empty card' }, element('p', { class: 'empty-title' }, title), ...rest);
}

/** What went wrong, told at once to those who listen. */
export function errorNote(error: unknown): HTMLElement {
  const problem = error instanceof Refused ? error.problem : undefined;
  return element(
    'div',
    { class: 'note note-error', role: 'alert' },
    element('strong', {}, problem?.title ?? 'Something went wrong'),
    element('span', {}, error instanceof Error ? error.message : String(error)),
    problem?.errors && element('ul', {}, problem.errors.map((fault) => element('li', {}, element('code', {}, fault.pointer), ` ${fault.message}`))),
  );
}

/** Grey bars until the answer is here. */
export function loadingNote(): HTMLElement {
  return element('div', { class: 'loading', role: 'status' }, element('span', { class: 'visually-hidden' }, 'Loading'), element('i'), element('i'), element('i'));
}

/** A time as people say it, with the exact one for who asks. */
export function timeOf(time: string): HTMLElement {
  return element('time', { datetime: time, title: moment(time) }, ago(time));
}

/** A level and its half as a badge. */
export function levelBadge(level: string, half?: string): HTMLElement {
  return element('span', { class: 'level' }, half && level !== 'O0' ? `${level} ${half}` : level);
}

/** A figure with its name and, under it, what it is to be compared with. */
export function tile(name: string, value = '', hint = ''): HTMLElement {
  return element('div', { class: 'tile' }, element('dt', {}, name), element('dd', {}, element('b', {}, value), hint && element('span', {}, hint)));
}

/** A table with a caption for those who do not see it, that scrolls by itself where it is too wide. */
export function table(caption: string, head: Child[], rows: HTMLElement[]): HTMLElement {
  return element(
    'div',
    { class: 'table-frame card', tabindex: 0, role: 'region', 'aria-label': caption },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, head.map((name) => (name instanceof Node ? name : element('th', { scope: 'col' }, name))))),
      element('tbody', {}, rows),
    ),
  );
}
