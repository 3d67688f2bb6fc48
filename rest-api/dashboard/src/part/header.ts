import { drawing, element, type Child } from '../dom/element.ts';
import { forgetToken, storedToken, tokenChanges } from '../api/token.ts';
import type { Place } from '../router.ts';

const links = [
  { href: '#/', name: 'Jobs', pages: [undefined, 'jobs'] },
  { href: '#/submit', name: 'Submit', pages: ['submit'] },
  { href: '#/compare', name: 'Compare', pages: ['compare', 'comparisons'] },
];

/** The bar with the name and the ways; `at` marks where the reader is. */
export function header(): { element: HTMLElement; at(place: Place): void } {
  const anchors = links.map((link) => element('a', { href: link.href }, link.name));
  const leave = element('button', { class: 'quiet', click: signOut }, 'Sign out');
  const offerToLeave = () => (leave.hidden = storedToken() === null);
  tokenChanges.addEventListener('change', offerToLeave);
  offerToLeave();
  return {
    element: element('header', { class: 'top' }, element('div', { class: 'top-inner' }, brand(), element('nav', { 'aria-label': 'Main' }, anchors), leave)),
    at(place) {
      anchors.forEach((anchor, index) => {
        const here = links[index]!.pages.includes(place.parts[0]);
        anchor.toggleAttribute('aria-current', here);
        if (here) {
          anchor.setAttribute('aria-current', 'page');
        }
      });
    },
  };
}

function signOut(): void {
  forgetToken();
  location.reload();
}

function brand(): Child {
  return element(
    'a',
    { class: 'brand', href: '#/', 'aria-label': 'HalfCell, all jobs' },
    drawing(
      'svg',
      { viewBox: '0 0 32 32', width: 24, height: 24, 'aria-hidden': 'true' },
      drawing('rect', { class: 'brand-full', x: 2, y: 2, width: 28, height: 28, rx: 8 }),
      drawing('path', { class: 'brand-half', d: 'M16 2h6a8 8 0 0 1 8 8v12a8 8 0 0 1-8 8h-6z' }),
    ),
    element('span', {}, 'HalfCell'),
  );
}
