import { element, refill } from '../dom/element.ts';
import { getJson } from '../api/client.ts';
import { download } from '../api/download.ts';
import type { Job, Metrics } from '../api/types.ts';
import { throttled } from '../api/wait.ts';
import { accuracyChart, lossChart, scaleChart, throughputChart } from '../part/charts.ts';
import { bytes, count, number, percent } from '../format.ts';
import { withEnd } from '../part/measured.ts';
import { samplesPerStep } from '../part/samples.ts';
import { errorNote, tile } from '../part/parts.ts';
import type { MakeTab } from './job-tab.ts';

/** Curves over steps with the latest figures above them. */
export const curvesTab: MakeTab = ({ job: start, signal }) => {
  let job = start;
  const tiles = element('dl', { class: 'tiles' });
  const note = element('div', {});
  const charts = [lossChart(), accuracyChart(), scaleChart(), throughputChart(samplesPerStep(job))];
  const range = stepRange(() => void load());
  const sampling = element('p', { class: 'hint' });
  const saved = element('button', { click: () => void save() }, 'Download as CSV');

  async function load(): Promise<void> {
    try {
      const metrics = await getJson<Metrics>(`v1/jobs/${job.id}/metrics?points=1000${range.query()}`, signal);
      const measured = withEnd(metrics, job);
      refill(note);
      charts.forEach((chart) => chart.update(measured, range.start()));
      refill(tiles, tilesOf(job, metrics));
      sampling.textContent = metrics.sampled
        ? `${count(metrics.totalPoints)} steps; a point stands for several of them, with their range as a band.`
        : `${count(metrics.totalPoints)} steps.`;
    } catch (error) {
      if (!signal.aborted) {
        refill(note, errorNote(error));
      }
    }
  }

  async function save(): Promise<void> {
    try {
      await download(`v1/jobs/${job.id}/metrics`, `${job.id}.csv`, 'text/csv');
    } catch (error) {
      refill(note, errorNote(error));
    }
  }

  const reload = throttled(3000, signal, () => void load());
  void load();
  return {
    element: element(
      'div',
      {},
      tiles,
      note,
      element('div', { class: 'charts' }, charts.map((chart) => chart.element)),
      element('div', { class: 'spread' }, range.element, saved),
      sampling,
    ),
    update(now) {
      job = now;
      reload();
    },
  };
};

/** The steps to look at closely; the fewer there are, the fewer a point stands for. */
function stepRange(changed: () => void) {
  const input = (id: string, name: string) => element('input', { id, type: 'number', min: 0, step: 1, placeholder: name, class: 'step', change: changed });
  const [from, to] = [input('from-step', 'first'), input('to-step', 'last')];
  const part = (key: string, control: HTMLInputElement) => (control.value !== '' && control.checkValidity() ? `&${key}=${control.value}` : '');
  return {
    element: element('div', { class: 'range' }, element('label', { for: from.id }, 'Steps from'), from, element('label', { for: to.id }, 'to'), to),
    query: () => part('from', from) + part('to', to),
    start: () => (part('from', from) === '' ? undefined : Number(from.value)),
  };
}

function tilesOf(job: Job, metrics: Metrics): HTMLElement[] {
  const overflows = metrics.overflows.reduce((sum, steps) => sum + steps, 0);
  const resident = job.metrics['residentBytes'];
  const speed = job.metrics['samplesPerSecond'];
  const throughput = speed === undefined ? [number(undefined)] : [`${number(speed)}/s`, `samples; ${number((1000 * samplesPerStep(job)) / speed)} ms a step`];
  return [
    tile('Training loss', number(job.metrics['loss']), 'latest step'),
    tile('Test accuracy', percent(job.metrics['test_accuracy']), 'latest measured'),
    tile('Loss scale', number(job.metrics['lossScale']), job.level === 'O0' ? 'not needed in FP32' : 'now'),
    tile('Overflowed steps', count(overflows), `of ${count(metrics.totalPoints)}`),
    tile('Throughput', ...throughput),
    resident === undefined ? tile('Memory', bytes(job.estimatedBytes), 'estimated at most') : tile('Memory', bytes(resident), `held at most; estimated ${bytes(job.estimatedBytes)}`),
  ];
}
