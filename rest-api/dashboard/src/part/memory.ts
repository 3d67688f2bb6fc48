import { drawing, element } from '../dom/element.ts';
import { bytes, percent, words } from '../format.ts';

/** How large a job is estimated to be and what it consists of, largest first; with what it may be. */
export function memoryBar(total: number, parts: Record<string, number>, limit?: number, title = 'Memory', whose = 'a job may hold'): HTMLElement {
  const sorted = Object.entries(parts)
    .filter(([, size]) => size > 0)
    .sort(([, a], [, b]) => b - a);
  const scale = 1000 / Math.max(total, limit ?? 0, 1);
  let at = 0;
  const blocks = sorted.map(([, size], index) => {
    const block = drawing('rect', { class: `block tone-${(index % 8) + 1}`, x: at, y: 0, width: Math.max(1, size * scale - 2), height: 20 });
    at += size * scale;
    return block;
  });
  const of = limit === undefined ? '' : ` of ${bytes(limit)} that ${whose} (${percent(total / limit, 0)})`;
  return element(
    'section',
    { class: 'card memory' },
    element('h2', {}, title),
    element('p', {}, element('b', {}, bytes(total)), `${of || ' at most'}, estimated`),
    drawing('svg', { class: 'memory-bar', viewBox: '0 0 1000 20', preserveAspectRatio: 'none', height: 20, 'aria-hidden': 'true' }, blocks),
    element(
      'ul',
      { class: 'memory-parts' },
      sorted.map(([name, size], index) =>
        element(
          'li',
          {},
          drawing('svg', { viewBox: '0 0 10 10', width: 10, height: 10, 'aria-hidden': 'true' }, drawing('rect', { class: `block tone-${(index % 8) + 1}`, width: 10, height: 10, rx: 2 })),
          element('span', {}, words(name)),
          element('span', { class: 'number' }, bytes(size)),
        ),
      ),
    ),
  );
}
