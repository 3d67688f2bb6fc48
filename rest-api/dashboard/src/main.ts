import './style/all.css';
import { element, refill } from './dom/element.ts';
import { comparePage } from './page/compare.ts';
import { jobPage } from './page/job.ts';
import { jobsPage } from './page/jobs.ts';
import { missingPage } from './page/missing.ts';
import type { MakePage, Page } from './page/page.ts';
import { submitPage } from './page/submit.ts';
import { header } from './part/header.ts';
import { placeOf, type Place } from './router.ts';

const main = element('main', { id: 'main' });
const top = header();
document.body.append(element('a', { class: 'skip', href: '#main', click: skip }, 'Skip to content'), top.element, main);

let page: Page | undefined;
let leaving = new AbortController();

window.addEventListener('hashchange', () => show(true));
show(false);

/** Shows what the address says; the focus goes to the heading, as with a page that is loaded. */
function show(moveFocus: boolean): void {
  const place = placeOf(location.hash);
  if (!page?.moved?.(place)) {
    leaving.abort();
    leaving = new AbortController();
    page = pageFor(place)(place, leaving.signal);
    refill(main, page.element);
    scrollTo(0, 0);
    if (moveFocus) {
      main.querySelector('h1')?.focus({ preventScroll: true });
    }
  }
  document.title = `${page.title} · HalfCell`;
  top.at(place);
}

function pageFor(place: Place): MakePage {
  const [first = 'jobs', second] = place.parts;
  switch (first) {
    case 'jobs':
      return second === undefined ? jobsPage : jobPage;
    case 'submit':
      return submitPage;
    case 'compare':
    case 'comparisons':
      return comparePage;
    default:
      return missingPage;
  }
}

/** The address is the router's, so the link moves the focus by itself. */
function skip(event: Event): void {
  event.preventDefault();
  main.querySelector('h1')?.focus();
}
