import { element, refill, type Child } from '../dom/element.ts';
import type { JobSummary } from '../api/types.ts';
import { number, percent, shortId } from '../format.ts';
import { levelBadge, table, timeOf } from './parts.ts';
import { progressBar, shareOf, stepsOf } from './progress.ts';
import { titleOf } from './job-state.ts';
import { stateBadge } from './state.ts';

/** More lines over each other are not told apart. */
export const mostCompared = 8;

interface Row {
  element: HTMLElement;
  update(job: JobSummary): void;
}

/** The list of jobs; rows stay as they are updated, so that focus and choice are kept. */
export function jobTable(chosen: (jobs: string[]) => void) {
  const rows = new Map<string, Row>();
  const picked = new Set<string>();
  const frame = table('Jobs', ['', 'Job', 'Level', 'State', 'Progress', numeric('Loss'), numeric('Accuracy'), numeric('Submitted')].map(heading), []);
  const body = frame.querySelector('tbody')!;
  const boxes = () => body.querySelectorAll<HTMLInputElement>('input[type=checkbox]');

  function pick(id: string, on: boolean): void {
    if (on) {
      picked.add(id);
    } else {
      picked.delete(id);
    }
    boxes().forEach((box) => {
      box.checked = picked.has(box.value);
      box.disabled = !box.checked && picked.size >= mostCompared;
    });
    chosen([...picked]);
  }

  return {
    element: frame,
    update(jobs: JobSummary[]) {
      const focused = document.activeElement;
      const before = [...rows.keys()].join();
      const kept = new Map(rows);
      rows.clear();
      for (const job of jobs) {
        const row = kept.get(job.id) ?? jobRow(job, picked.has(job.id), pick);
        row.update(job);
        rows.set(job.id, row);
      }
      if (before !== [...rows.keys()].join()) {
        body.replaceChildren(...[...rows.values()].map((row) => row.element));
        if (focused instanceof HTMLElement && body.contains(focused)) {
          focused.focus({ preventScroll: true });
        }
      }
    },
    clear() {
      picked.clear();
      pick('', false);
    },
  };
}

function heading(child: Child): HTMLElement {
  if (child instanceof HTMLElement) {
    return child;
  }
  return child === '' ? element('td', { class: 'pick' }) : element('th', { scope: 'col' }, child);
}

function numeric(name: string): HTMLElement {
  return element('th', { scope: 'col', class: 'number' }, name);
}

function jobRow(job: JobSummary, picked: boolean, pick: (id: string, on: boolean) => void): Row {
  const box: HTMLInputElement = element('input', {
    type: 'checkbox',
    value: job.id,
    checked: picked,
    'aria-label': `Choose ${titleOf(job)} for a comparison`,
    change: () => pick(job.id, box.checked),
  });
  const title = element('a', { class: 'job-name', href: `#/jobs/${job.id}` });
  const under = element('span', { class: 'hint under' });
  const state = element('td', { class: 'cell-state' });
  const progress = element('td', { class: 'cell-progress' });
  const loss = element('td', { class: 'number', 'data-name': 'Loss' });
  const accuracy = element('td', { class: 'number', 'data-name': 'Accuracy' });
  const when = element('td', { class: 'number cell-time', 'data-name': 'Submitted' });
  return {
    element: element(
      'tr',
      {},
      element('td', { class: 'pick' }, box),
      element('th', { scope: 'row', class: 'cell-job' }, title, under),
      element('td', { class: 'cell-level' }, levelBadge(job.level)),
      state,
      progress,
      loss,
      accuracy,
      when,
    ),
    update(now) {
      title.textContent = titleOf(now);
      refill(under, element('span', {}, now.network), element('code', {}, shortId(now.id)), labelsOf(now.labels));
      refill(state, stateBadge(now.state), tellsMore(now) && element('span', { class: 'hint under' }, now.statusReason.message));
      refill(progress, progressBar(now), element('span', { class: 'hint under spread' }, element('span', {}, stepsOf(now)), element('span', {}, shareOf(now))));
      loss.textContent = number(now.metrics['loss']);
      accuracy.textContent = percent(now.metrics['test_accuracy'], 1);
      refill(when, timeOf(now.createdAt));
    },
  };
}

function labelsOf(labels: Record<string, string>): Child[] {
  return Object.entries(labels).map(([key, value]) => element('span', { class: 'label' }, `${key}=${value}`));
}

/** A job that runs or has succeeded is as people expect it; of the others they want to know why. */
function tellsMore(job: JobSummary): boolean {
  return !['RUNNING', 'SUCCEEDED'].includes(job.state);
}
