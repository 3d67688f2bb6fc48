import { element } from '../dom/element.ts';
import { emptyNote } from '../part/parts.ts';
import type { MakePage } from './page.ts';

/** An address that nothing lies at. */
export const missingPage: MakePage = () => ({
  title: 'Not found',
  element: element(
    'div',
    {},
    element('h1', { tabindex: -1 }, 'Not found'),
    emptyNote('There is nothing at this address.', element('p', {}, element('a', { href: '#/' }, 'All jobs'))),
  ),
});
