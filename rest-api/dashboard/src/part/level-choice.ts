import { element } from '../dom/element.ts';
import type { LevelDescription } from '../api/types.ts';

/** Levels and seeds to train at, each pair a job; none means the one job of the form. */
export function levelChoice(levels: LevelDescription[], changed: () => void) {
  const boxes = levels.map(({ name }) => element('input', { type: 'checkbox', value: name, change: changed }));
  const seeds = element('input', { id: 'seeds', type: 'text', inputmode: 'numeric', placeholder: '1, 2, 3', pattern: '[-0-9, ]*', 'aria-describedby': 'seeds-hint' });
  return {
    element: element(
      'details',
      { class: 'card group' },
      element('summary', {}, element('span', { class: 'group-title' }, 'Compare levels'), element('span', { class: 'hint' }, 'Train the same at several levels and set the results side by side.')),
      element(
        'div',
        { class: 'fields' },
        element('fieldset', { class: 'field' }, element('legend', {}, 'Levels'), element('div', { class: 'boxes' }, boxes.map((box) => element('label', { class: 'check' }, box, box.value)))),
        element('div', { class: 'field' }, element('label', { for: 'seeds' }, 'Seeds'), seeds, element('p', { class: 'hint', id: 'seeds-hint' }, 'A job for each level and seed; left out, the seed of the form.')),
      ),
    ),
    value: () => ({
      levels: boxes.filter((box) => box.checked).map((box) => box.value),
      seeds: seeds.value.split(',').map((seed) => seed.trim()).filter((seed) => /^-?\d+$/.test(seed)).map(Number),
    }),
  };
}
