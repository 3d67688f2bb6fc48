import { drawing, element, refill } from '../dom/element.ts';
import { count, number } from '../format.ts';
import { extent, linearAxis, powersAxis, type Axis } from './axis.ts';
import { smoothed, thin, type Points } from './sample.ts';

/** A line of a chart; `tone` is its colour and, from the fifth on, its dashes too. */
export interface Line extends Points {
  name: string;
  tone: number;
  /** Shown as points that are joined, for a few values that were measured. */
  dots?: boolean;
  /** Shown as its moving average, over a faint line of its values or alone. */
  smooth?: 'over values' | 'alone';
}

export interface ChartOptions {
  title: string;
  axis: 'linear' | 'powers';
  value?: (value: number | null) => string;
  empty: string;
}

export interface ChartData {
  lines: Line[];
  /** The first and last step that are shown; 0 and the last of the lines, unless told otherwise. */
  start?: number | undefined;
  end?: number | undefined;
  /** Steps that are marked at the bottom, such as overflows. */
  marks?: { x: number[]; name: string };
}

export interface Chart {
  element: HTMLElement;
  update(data: ChartData): void;
}

const height = 220;
const inset = { top: 10, right: 12, bottom: 26, left: 52 };

/** A chart of lines over steps, drawn anew for each width; arrow keys and pointer read values. */
export function chart(options: ChartOptions): Chart {
  const value = options.value ?? number;
  const picture = drawing('svg', { role: 'img', tabindex: 0, height, 'aria-label': options.title });
  const legend = element('div', { class: 'legend' });
  const figure = element(
    'figure',
    { class: 'chart card' },
    element('figcaption', {}, element('h2', {}, options.title), legend),
    element('div', { class: 'chart-area' }, picture),
  );
  let data: ChartData = { lines: [] };
  let width = 0;
  let reading: number | undefined;

  const steps = () => [...new Set(data.lines.flatMap((line) => line.x))].sort((a, b) => a - b);
  const draw = () => {
    if (width > 0) {
      const drawn = plot(data, options, width);
      refill(picture, drawn.nodes, reading !== undefined && cursor(drawn.across(reading)));
      picture.setAttribute('aria-label', describe(options.title, data, value, options.empty));
    }
    refill(legend, legendOf(data, reading, value));
  };
  const read = (step: number | undefined) => {
    reading = step;
    draw();
  };

  picture.addEventListener('pointermove', (event) => {
    const share = (event.offsetX - inset.left) / (width - inset.left - inset.right);
    const [start, end] = endsOf(data);
    read(nearest(steps(), start + share * (end - start)));
  });
  picture.addEventListener('pointerleave', () => read(undefined));
  picture.addEventListener('blur', () => read(undefined));
  picture.addEventListener('keydown', (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move !== undefined) {
      event.preventDefault();
      const all = steps();
      const jump = move * Math.max(1, Math.round(all.length / 100));
      const at = reading === undefined ? all.length - 1 : all.indexOf(reading) + jump;
      read(all[Math.max(0, Math.min(all.length - 1, at))]);
    }
  });
  new ResizeObserver(([entry]) => {
    width = Math.floor(entry!.contentRect.width);
    picture.setAttribute('width', String(width));
    draw();
  }).observe(picture.parentElement!);
  return {
    element: figure,
    update(next) {
      data = next;
      draw();
    },
  };
}

interface Drawn {
  nodes: Node[];
  across(step: number): number;
}

function plot(data: ChartData, options: ChartOptions, width: number): Drawn {
  const inner = { width: width - inset.left - inset.right, height: height - inset.top - inset.bottom };
  const [start, end] = endsOf(data);
  if (data.lines.every((line) => line.x.length === 0)) {
    const text = drawing('text', { class: 'chart-empty', x: width / 2, y: height / 2, 'text-anchor': 'middle' }, options.empty);
    return { nodes: [text], across: () => 0 };
  }
  const x = linearAxis(start, end, Math.max(3, Math.floor(inner.width / 90)), count);
  const thinned = data.lines.map((line) => ({ line, points: thin(line, start, end, inner.width) }));
  const values = thinned.flatMap(({ points }) => [...points.low, ...points.high]);
  const y = options.axis === 'powers' ? powersAxis(values, 5) : linearAxis(...extent(values), 5, options.value);
  const across = (step: number) => inset.left + x.at(step) * inner.width;
  const up = (v: number) => inset.top + (1 - y.at(v)) * inner.height;
  return {
    nodes: [
      ...gridOf(x, y, across, up, width),
      ...thinned.flatMap(({ line, points }) => lineOf(line, points, across, up)),
      ...(data.marks?.x ?? []).filter((step) => step >= start && step <= end).map((step) => {
        const at = across(step);
        const base = height - inset.bottom;
        return drawing('path', { class: 'mark', d: `M${at} ${base - 9}l4 8h-8z` });
      }),
    ],
    across,
  };
}

/** Axes begin at step 0, so that the charts of a job can be read one under the other. */
function endsOf(data: ChartData): [number, number] {
  const start = data.start ?? 0;
  const end = data.end ?? data.lines.flatMap((line) => line.x).reduce((a, b) => Math.max(a, b), 0);
  return [start, Math.max(end, start + 1)];
}

type Place = (value: number) => number;

function gridOf(x: Axis, y: Axis, across: Place, up: Place, width: number): Node[] {
  const base = height - inset.bottom;
  return [
    ...y.ticks.flatMap(({ value, label }) => [
      drawing('line', { class: 'grid', x1: inset.left, x2: width - inset.right, y1: up(value), y2: up(value) }),
      drawing('text', { class: 'tick', x: inset.left - 8, y: up(value) + 4, 'text-anchor': 'end' }, label),
    ]),
    ...x.ticks.map(({ value, label }) =>
      drawing('text', { class: 'tick', x: across(value), y: base + 18, 'text-anchor': 'middle' }, label),
    ),
    drawing('line', { class: 'base', x1: inset.left, x2: width - inset.right, y1: base, y2: base }),
  ];
}

function lineOf(line: Line, points: Required<Points>, across: Place, up: Place): Node[] {
  const tone = `tone-${line.tone}`;
  const trace = (values: (number | null)[]) => pathOf(points.x, values, across, up);
  if (line.dots) {
    return [
      drawing('path', { class: `line ${tone}`, d: trace(points.y) }),
      ...points.x.flatMap((step, index) => {
        const value = points.y[index];
        return value === null || value === undefined
          ? []
          : [drawing('circle', { class: `dot ${tone}`, cx: across(step), cy: up(value), r: 3 })];
      }),
    ];
  }
  const band = line.low && drawing('path', { class: `band ${tone}`, d: bandOf(points, across, up) });
  const faint = line.smooth === 'over values' && drawing('path', { class: `line faint ${tone}`, d: trace(points.y) });
  const shown = line.smooth ? smoothed(points.y, Math.ceil(points.y.length / 50)) : points.y;
  return [band, faint, drawing('path', { class: `line ${tone}`, d: trace(shown) })].filter((node) => node instanceof Node);
}

/** A path that is lifted where values are not known. */
function pathOf(xs: number[], values: (number | null)[], across: Place, up: Place): string {
  let pen = 'M';
  let path = '';
  values.forEach((value, index) => {
    if (value === null) {
      pen = 'M';
    } else {
      path += `${pen}${across(xs[index]!).toFixed(1)} ${up(value).toFixed(1)}`;
      pen = 'L';
    }
  });
  return path;
}

function bandOf(points: Required<Points>, across: Place, up: Place): string {
  const known = points.x.map((_, index) => index).filter((index) => points.low[index] !== null && points.high[index] !== null);
  const corner = (index: number, values: (number | null)[]) => `${across(points.x[index]!).toFixed(1)} ${up(values[index]!).toFixed(1)}`;
  const above = known.map((index) => corner(index, points.high));
  const below = known.map((index) => corner(index, points.low)).reverse();
  return above.length === 0 ? '' : `M${[...above, ...below].join('L')}Z`;
}

function cursor(at: number): Node {
  return drawing('line', { class: 'cursor', x1: at, x2: at, y1: inset.top, y2: height - inset.bottom });
}

function legendOf(data: ChartData, reading: number | undefined, value: (v: number | null) => string): Node[] {
  const entries = data.lines.map((line) => {
    const text = reading === undefined ? line.name : `${line.name} ${value(valueAt(line, reading))}`;
    return element(
      'span',
      { class: 'legend-entry' },
      drawing('svg', { width: 18, height: 8, 'aria-hidden': 'true' }, drawing('path', { class: `line tone-${line.tone}`, d: 'M1 4H17' })),
      text,
    );
  });
  if (data.marks && data.marks.x.length > 0) {
    const mark = drawing('svg', { width: 10, height: 10, 'aria-hidden': 'true' }, drawing('path', { class: 'mark', d: 'M5 1l4 8h-8z' }));
    entries.push(element('span', { class: 'legend-entry' }, mark, data.marks.name));
  }
  if (reading !== undefined) {
    entries.push(element('span', { class: 'legend-entry reading', role: 'status' }, `step ${count(reading)}`));
  }
  return entries;
}

/** The value at a step, or the last one before it. */
function valueAt(line: Line, step: number): number | null {
  const after = line.x.findIndex((x) => x > step);
  const index = (after < 0 ? line.x.length : after) - 1;
  return index < 0 ? null : (line.y[index] ?? null);
}

function nearest(sorted: number[], wanted: number): number | undefined {
  const after = sorted.findIndex((step) => step >= wanted);
  const [before, behind] = [sorted[after - 1], sorted[after]];
  if (after < 0) {
    return sorted[sorted.length - 1];
  }
  return before !== undefined && behind !== undefined && wanted - before < behind - wanted ? before : behind;
}

/** What the chart shows, for those who do not see it. */
function describe(title: string, data: ChartData, value: (v: number | null) => string, empty: string): string {
  const told = data.lines
    .filter((line) => line.x.length > 0)
    .map((line) => `${line.name} ${value(line.y[0] ?? null)} to ${value(line.y[line.y.length - 1] ?? null)}`);
  return `${title}: ${told.length === 0 ? empty : told.join('; ')}`;
}
