import { chart, type Chart, type ChartOptions, type Line } from '../chart/chart.ts';
import type { Metrics, Series } from '../api/types.ts';
import { percent } from '../format.ts';

/** A chart of a job, which knows what of its metrics it shows. */
export interface MetricsChart {
  element: HTMLElement;
  /** Shows the metrics, from that step on. */
  update(metrics: Metrics, start?: number): void;
}

export const chartOptions = {
  loss: { title: 'Loss', axis: 'linear', empty: 'No steps yet' },
  accuracy: { title: 'Test accuracy', axis: 'linear', value: trimmedPercent, empty: 'Not measured yet' },
  scale: { title: 'Loss scale', axis: 'powers', empty: 'No steps yet' },
  throughput: { title: 'Throughput, samples per second', axis: 'linear', empty: 'No steps yet' },
} as const satisfies Record<string, ChartOptions>;

export function lossChart(): MetricsChart {
  return shows(chart(chartOptions.loss), (metrics) => [
    { ...seriesLine('Training', 1, metrics, 'loss'), smooth: 'over values' },
    epochLine('Test', 2, metrics, 'test_loss'),
  ]);
}

export function accuracyChart(): MetricsChart {
  return shows(chart(chartOptions.accuracy), (metrics) => [epochLine('Test accuracy', 1, metrics, 'test_accuracy')]);
}

/** The loss scale, with a mark at each step that overflowed. */
export function scaleChart(): MetricsChart {
  const drawn = chart(chartOptions.scale);
  return {
    element: drawn.element,
    update: (metrics, start) => drawn.update({ lines: known([seriesLine('Loss scale', 1, metrics, 'scale')]), marks: overflowMarks(metrics), start, end: metrics.steps.at(-1) }),
  };
}

/** Samples in a second: what a step sees by the time that it took. */
export function throughputChart(samples: number): MetricsChart {
  return shows(chart(chartOptions.throughput), (metrics) => [{ ...throughputLine('Samples/s', 1, metrics, samples), smooth: 'over values' }]);
}

export function seriesLine(name: string, tone: number, metrics: Metrics, key: string): Line {
  const series: Series = metrics.series[key] ?? { last: [], min: [], max: [] };
  const known = series.last.some((value) => value !== null);
  return { name, tone, x: known ? metrics.steps : [], y: series.last, ...(metrics.sampled ? { low: series.min, high: series.max } : {}) };
}

export function throughputLine(name: string, tone: number, metrics: Metrics, samples: number): Line {
  const rate = (value: number | null) => (value === null || value <= 0 ? null : (1000 * samples) / value);
  const line = seriesLine(name, tone, metrics, 'step_ms');
  return { name, tone, x: line.x, y: line.y.map(rate) };
}

export function epochLine(name: string, tone: number, metrics: Metrics, key: string): Line {
  const measured = metrics.epochs.filter((epoch) => epoch.values[key] !== undefined);
  return { name, tone, dots: true, x: measured.map((epoch) => epoch.step), y: measured.map((epoch) => epoch.values[key] ?? null) };
}

export function overflowMarks(metrics: Metrics): { x: number[]; name: string } {
  return { x: metrics.steps.filter((_, index) => (metrics.overflows[index] ?? 0) > 0), name: 'Overflow' };
}

function shows(drawn: Chart, linesOf: (metrics: Metrics) => Line[]): MetricsChart {
  return { element: drawn.element, update: (metrics, start) => drawn.update({ lines: known(linesOf(metrics)), start, end: metrics.steps.at(-1) }) };
}

/** Lines that have values: a name in the legend without a line would be looked for in vain. */
export function known(lines: Line[]): Line[] {
  return lines.filter((line) => line.x.length > 0);
}

/** 90 %, 90.5 %. */
function trimmedPercent(fraction: number | null): string {
  return fraction === null ? percent(fraction) : `${Number((100 * fraction).toFixed(1))} %`;
}
