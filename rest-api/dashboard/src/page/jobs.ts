import { element, refill } from '../dom/element.ts';
import { getJson } from '../api/client.ts';
import type { JobPage, Network } from '../api/types.ts';
import { wait } from '../api/wait.ts';
import { emptyNote, errorNote, loadingNote } from '../part/parts.ts';
import { jobFilters, readFilters, type Filters } from '../part/filters.ts';
import { jobTable, mostCompared } from '../part/job-table.ts';
import { rewrite } from '../router.ts';
import type { MakePage } from './page.ts';

const pageSize = 50;
const refreshMilliseconds = 3000;

/** All jobs, page by page, as they are now. */
export const jobsPage: MakePage = (place, signal) => {
  let filters = readFilters(place.query);
  /** The cursors of the pages that led here; the first page has none. */
  let trail: (string | undefined)[] = [undefined];
  let next: string | undefined;

  const note = element('div', {});
  const body = element('div', { class: 'jobs-body' }, loadingNote());
  const chosen = element('div', { class: 'chosen', hidden: true, role: 'status' });
  const rows = jobTable(showChosen);
  const newer = element('button', { click: () => turn(-1) }, '← Newer');
  const older = element('button', { click: () => turn(1) }, 'Older →');
  const where = element('span', { class: 'hint', role: 'status' });
  const pager = element('div', { class: 'pager', hidden: true }, newer, where, older);
  const controls = jobFilters(filters, (changed) => {
    filters = changed;
    trail = [undefined];
    const query = toQuery(filters).toString();
    rewrite(query ? `#/?${query}` : '#/');
    void load();
  });

  /** The newest answer counts, whichever comes first. */
  let asked = 0;
  async function load(): Promise<void> {
    const mine = ++asked;
    const query = toQuery(filters);
    query.set('limit', String(pageSize));
    const cursor = trail.at(-1);
    if (cursor !== undefined) {
      query.set('next', cursor);
    }
    try {
      const page = await getJson<JobPage>(`v1/jobs?${query}`, signal);
      if (mine === asked) {
        refill(note);
        showPage(page);
      }
    } catch (error) {
      if (!signal.aborted && mine === asked) {
        refill(note, errorNote(error));
        body.querySelector('.loading')?.remove();
      }
    }
  }

  function showPage(page: JobPage): void {
    next = page.next;
    if (page.jobs.length === 0) {
      refill(body, nothingHere(toQuery(filters).size > 0));
    } else {
      rows.update(page.jobs);
      if (rows.element.parentElement !== body) {
        refill(body, rows.element);
      }
    }
    newer.disabled = trail.length === 1;
    older.disabled = next === undefined;
    pager.hidden = newer.disabled && older.disabled;
    where.textContent = `Page ${trail.length}`;
  }

  function turn(direction: 1 | -1): void {
    if (direction > 0) {
      trail.push(next);
    } else {
      trail.pop();
    }
    scrollTo(0, 0);
    void load();
  }

  function showChosen(jobs: string[]): void {
    chosen.hidden = jobs.length === 0;
    const enough = jobs.length > 1;
    refill(
      chosen,
      element('span', {}, jobs.length === mostCompared ? `${jobs.length} chosen, the most there can be` : `${jobs.length} chosen`),
      enough && element('a', { class: 'button primary', href: `#/compare?jobs=${jobs.join(',')}` }, 'Compare'),
      element('button', { click: () => rows.clear() }, 'Clear'),
    );
  }

  async function keepFresh(): Promise<void> {
    while (!signal.aborted) {
      if (!document.hidden) {
        await load();
      }
      await wait(refreshMilliseconds, signal).catch(() => {});
    }
  }

  void keepFresh();
  getJson<{ networks: Network[] }>('v1/networks', signal).then(
    ({ networks }) => controls.offerNetworks(networks.map((network) => network.name)),
    () => {}, // the list itself says what is wrong
  );
  return {
    title: 'Jobs',
    element: element(
      'div',
      {},
      element('div', { class: 'heading' }, element('h1', { tabindex: -1 }, 'Jobs'), element('a', { class: 'button primary', href: '#/submit' }, 'Submit a job')),
      controls.element,
      note,
      body,
      pager,
      chosen,
    ),
  };
};

function toQuery(filters: Filters): URLSearchParams {
  const query = new URLSearchParams();
  filters.states.forEach((state) => query.append('state', state));
  for (const key of ['network', 'level', 'label'] as const) {
    if (filters[key] !== '') {
      query.set(key, filters[key]);
    }
  }
  if (filters.sort !== 'newest') {
    query.set('sort', filters.sort);
  }
  return query;
}

function nothingHere(filtered: boolean): HTMLElement {
  return filtered
    ? emptyNote('No job is like this.', element('p', {}, 'Take a filter away to see more.'))
    : emptyNote('No jobs yet.', element('p', {}, element('a', { href: '#/submit' }, 'Submit the first one'), ' or use ', element('code', {}, 'halfcell submit'), '.'));
}
