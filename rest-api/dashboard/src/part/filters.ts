import { element, refill } from '../dom/element.ts';
import { jobStates, levels, type JobState } from '../api/types.ts';

export interface Filters {
  states: JobState[];
  network: string;
  level: string;
  label: string;
  sort: string;
}

/** States that people look for together. */
const groups: { name: string; states: JobState[] }[] = [
  { name: 'All', states: [] },
  { name: 'Waiting', states: ['QUEUED', 'INTERRUPTED'] },
  { name: 'Running', states: ['STARTING', 'RUNNING', 'CANCELLING'] },
  { name: 'Paused', states: ['PAUSED'] },
  { name: 'Succeeded', states: ['SUCCEEDED'] },
  { name: 'Failed', states: ['FAILED'] },
  { name: 'Cancelled', states: ['CANCELLED'] },
];

export function readFilters(query: URLSearchParams): Filters {
  const text = (key: string) => query.get(key) ?? '';
  return {
    states: query.getAll('state').filter((state): state is JobState => (jobStates as readonly string[]).includes(state)),
    network: text('network'),
    level: text('level'),
    label: text('label'),
    sort: text('sort') || 'newest',
  };
}

export interface FilterControls {
  element: HTMLElement;
  offerNetworks(names: string[]): void;
}

/** The controls above the list; tells each change. */
export function jobFilters(start: Filters, changed: (filters: Filters) => void): FilterControls {
  let filters = start;
  const change = (part: Partial<Filters>) => {
    filters = { ...filters, ...part };
    chips.forEach((chip, index) => chip.setAttribute('aria-pressed', String(isChosen(groups[index]!.states, filters.states))));
    changed(filters);
  };
  const chips = groups.map((group) =>
    element(
      'button',
      { class: 'chip', 'aria-pressed': String(isChosen(group.states, filters.states)), click: () => change({ states: group.states }) },
      group.name,
    ),
  );
  const network = chooser('Network', filters.network, filters.network ? [filters.network] : [], (value) => change({ network: value }));
  const level = chooser('Level', filters.level, [...levels], (value) => change({ level: value }));
  const label = element('input', {
    id: 'filter-label',
    value: filters.label,
    placeholder: 'key=value',
    pattern: '[^=]+=.*',
    size: 12,
    title: 'A label as key=value',
    change: () => label.checkValidity() && change({ label: label.value.trim() }),
  });
  const sort = element('select', { id: 'filter-sort', change: () => change({ sort: sort.value }) }, [
    ['newest', 'Newest first'],
    ['oldest', 'Oldest first'],
    ['priority', 'By priority'],
  ].map(([value, name]) => element('option', { value: value!, selected: value === filters.sort }, name)));
  return {
    element: element(
      'div',
      { class: 'filters' },
      element('div', { class: 'chips', role: 'group', 'aria-label': 'State' }, chips),
      element('div', { class: 'choosers' }, network.element, level.element, labelled('Label', label), labelled('Order', sort)),
    ),
    offerNetworks: (names) => network.offer([...names, 'cells']),
  };
}

/** Whether these are the states that are chosen, in any order. */
function isChosen(group: JobState[], chosen: JobState[]): boolean {
  return group.length === chosen.length && group.every((state) => chosen.includes(state));
}

function chooser(name: string, value: string, offered: string[], chosen: (value: string) => void) {
  const select = element('select', { id: `filter-${name.toLowerCase()}`, change: () => chosen(select.value) });
  const offer = (names: string[]) => {
    const kept = select.value || value;
    refill(select, element('option', { value: '' }, 'Any'), names.map((one) => element('option', { value: one, selected: one === kept }, one)));
  };
  offer(offered);
  return { element: labelled(name, select), offer };
}

function labelled(name: string, control: HTMLElement): HTMLElement {
  return element('div', { class: 'chooser' }, element('label', { for: control.id }, name), control);
}
