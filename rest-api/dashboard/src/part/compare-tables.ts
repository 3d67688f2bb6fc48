import { drawing, element } from '../dom/element.ts';
import type { Comparison, Results } from '../api/types.ts';
import { bytes, count, duration, number, percent } from '../format.ts';
import type { Compared } from './compared.ts';
import { table } from './parts.ts';
import { stateBadge } from './state.ts';

interface Column {
  name: string;
  text(value: number | undefined): string;
  /** Which end is the better one. */
  better: 'more' | 'less';
}

const columns: Record<keyof Results, Column> = {
  testAccuracy: { name: 'Test accuracy', text: (value) => percent(value), better: 'more' },
  testLoss: { name: 'Test loss', text: number, better: 'less' },
  finalTrainLoss: { name: 'Train loss', text: number, better: 'less' },
  stepMilliseconds: { name: 'Step, ms', text: number, better: 'less' },
  samplesPerSecond: { name: 'Samples/s', text: number, better: 'more' },
  peakBytes: { name: 'Peak memory', text: bytes, better: 'less' },
  overflowSteps: { name: 'Overflows', text: count, better: 'less' },
};
const keys = Object.keys(columns) as (keyof Results)[];

/** A line for each job; the best of each column stands out. */
export function comparedTable(jobs: Compared[]): HTMLElement {
  const best = bestOf(jobs.map(({ results }) => results));
  const rows = jobs.map(({ job, name, results, seconds }, index) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', class: 'swatched' }, swatch(index + 1), element('a', { href: `#/jobs/${job.id}` }, name)),
      element('td', {}, stateBadge(job.state)),
      element('td', { class: 'number' }, duration(seconds)),
      keys.map((key) => cell(key, results[key], best[key])),
    ),
  );
  return table('Jobs that are compared', ['Job', 'State', numeric('Time'), ...headings()], rows);
}

/** The means of each level. */
export function levelsTable(comparison: Comparison): HTMLElement {
  const best = bestOf(comparison.levels.map(({ results }) => results ?? {}));
  const rows = comparison.levels.map(({ level, jobs, succeeded, results }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, level),
      element('td', { class: 'number' }, `${succeeded} of ${jobs}`),
      keys.map((key) => cell(key, results?.[key], best[key])),
    ),
  );
  return element('section', {}, element('h2', {}, 'Means of each level'), table('Means of each level', ['Level', numeric('Succeeded'), ...headings()], rows));
}

function headings(): HTMLElement[] {
  return keys.map((key) => numeric(columns[key].name));
}

function numeric(name: string): HTMLElement {
  return element('th', { scope: 'col', class: 'number' }, name);
}

function cell(key: keyof Results, value: number | undefined, best: number | undefined): HTMLElement {
  const text = columns[key].text(value);
  const isBest = value !== undefined && value === best;
  return element('td', { class: isBest ? 'number best' : 'number' }, text, isBest && element('span', { class: 'visually-hidden' }, ' (best)'));
}

/** The best value of each column, where there are several and they differ. */
function bestOf(all: Results[]): Partial<Record<keyof Results, number>> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const values = all.map((results) => results[key]).filter((value) => value !== undefined);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      return values.length > 1 && low < high ? [[key, columns[key].better === 'more' ? high : low]] : [];
    }),
  );
}

function swatch(tone: number): SVGElement {
  return drawing('svg', { class: 'swatch', width: 14, height: 8, 'aria-hidden': 'true' }, drawing('path', { class: `line tone-${tone}`, d: 'M1 4H13' }));
}
