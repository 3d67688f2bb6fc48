import { element } from '../dom/element.ts';
import type { JsonObject } from '../api/types.ts';
import type { MakeTab } from './job-tab.ts';

/** The specification as it was sent, and with every default filled in. */
export const specificationTab: MakeTab = ({ job }) => ({
  element: element(
    'div',
    { class: 'columns' },
    shown('As it was sent', job.specification),
    shown('With all defaults', job.resolved),
  ),
});

function shown(title: string, specification: JsonObject): HTMLElement {
  return element('section', {}, element('h2', {}, title), element('pre', { class: 'card code', tabindex: 0, 'aria-label': title }, JSON.stringify(specification, null, 2)));
}
