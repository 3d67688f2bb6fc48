import { element, refill } from '../dom/element.ts';
import { getJson } from '../api/client.ts';
import type { Comparison } from '../api/types.ts';
import { wait } from '../api/wait.ts';
import { chart, type Line } from '../chart/chart.ts';
import { chartOptions, epochLine, known, overflowMarks, seriesLine, throughputLine } from '../part/charts.ts';
import { loadCompared, type Compared } from '../part/compared.ts';
import { comparedTable, levelsTable } from '../part/compare-tables.ts';
import { mostCompared } from '../part/job-table.ts';
import { emptyNote, errorNote, loadingNote } from '../part/parts.ts';
import { samplesPerStep } from '../part/samples.ts';
import { isOver } from '../part/job-state.ts';
import type { Place } from '../router.ts';
import type { MakePage } from './page.ts';

const refreshMilliseconds = 5000;

/** Curves of several jobs over each other, and what came of them side by side. */
export const comparePage: MakePage = (place, signal) => {
  const content = element('div', {}, loadingNote());
  const note = element('div', {});
  void keepFresh(place, content, note, signal);
  return {
    title: 'Comparison',
    element: element('div', {}, element('h1', { tabindex: -1 }, 'Comparison'), note, content),
  };
};

async function keepFresh(place: Place, content: HTMLElement, note: HTMLElement, signal: AbortSignal): Promise<void> {
  const view = comparedView();
  for (let over = false; !over && !signal.aborted; ) {
    try {
      const comparison = place.parts[0] === 'comparisons' ? await getJson<Comparison>(`v1/comparisons/${encodeURIComponent(place.parts[1] ?? '')}`, signal) : undefined;
      const ids = comparison?.rows.map((row) => row.job) ?? chosenJobs(place);
      if (ids.length === 0) {
        refill(content, howToChoose());
        return;
      }
      const jobs = await Promise.all(ids.slice(0, mostCompared).map((id) => loadCompared(id, signal)));
      refill(note, ids.length > mostCompared && element('p', { class: 'note' }, `The first ${mostCompared} of ${ids.length} jobs are shown.`));
      view.update(jobs, comparison);
      if (view.element.parentElement !== content) {
        refill(content, view.element);
      }
      over = jobs.every(({ job }) => isOver(job.state));
    } catch (error) {
      if (!signal.aborted) {
        refill(note, errorNote(error));
        content.querySelector('.loading')?.remove();
      }
    }
    await wait(refreshMilliseconds, signal).catch(() => {});
  }
}

function chosenJobs(place: Place): string[] {
  return (place.query.get('jobs') ?? '').split(',').filter((id) => id !== '');
}

function comparedView() {
  const loss = chart({ ...chartOptions.loss, title: 'Training loss' });
  const accuracy = chart(chartOptions.accuracy);
  const scale = chart(chartOptions.scale);
  const throughput = chart(chartOptions.throughput);
  const tables = element('div', { class: 'compare-tables' });
  return {
    element: element('div', {}, tables, element('div', { class: 'charts' }, [loss, accuracy, scale, throughput].map((each) => each.element))),
    update(jobs: Compared[], comparison: Comparison | undefined) {
      const lines = (lineOf: (compared: Compared, tone: number) => Line) => known(jobs.map((compared, index) => lineOf(compared, index + 1)));
      const marks = { x: jobs.flatMap(({ metrics }) => overflowMarks(metrics).x), name: 'Overflow' };
      refill(tables, comparedTable(jobs), comparison && levelsTable(comparison));
      loss.update({ lines: lines(({ name, metrics }, tone) => ({ ...seriesLine(name, tone, plain(metrics), 'loss'), smooth: 'alone' })) });
      const end = Math.max(...jobs.map(({ metrics }) => metrics.steps.at(-1) ?? 1));
      accuracy.update({ lines: lines(({ name, metrics }, tone) => epochLine(name, tone, metrics, 'test_accuracy')), end });
      scale.update({ lines: lines(({ name, metrics }, tone) => seriesLine(name, tone, plain(metrics), 'scale')), marks });
      throughput.update({ lines: lines(({ name, job, metrics }, tone) => ({ ...throughputLine(name, tone, metrics, samplesPerStep(job)), smooth: 'alone' })) });
    },
  };
}

/** Bands of several jobs over each other would hide one another. */
function plain(metrics: Compared['metrics']): Compared['metrics'] {
  return { ...metrics, sampled: false };
}

function howToChoose(): HTMLElement {
  return emptyNote(
    'Nothing is chosen yet.',
    element('p', {}, 'Tick up to eight jobs in the ', element('a', { href: '#/' }, 'list of jobs'), ' and press Compare, or '),
    element('p', {}, element('a', { href: '#/submit' }, 'submit one specification at several levels'), '.'),
  );
}
