import { element, refill } from '../dom/element.ts';
import { getJson } from '../api/client.ts';
import { followEvents } from '../api/follow.ts';
import type { Job, JobEvent } from '../api/types.ts';
import { throttled } from '../api/wait.ts';
import { jobActions } from '../part/actions.ts';
import { jobHead } from '../part/job-head.ts';
import { errorNote, loadingNote } from '../part/parts.ts';
import { isOver, titleOf } from '../part/job-state.ts';
import type { Place } from '../router.ts';
import { curvesTab } from './job-curves.ts';
import { filesTab } from './job-files.ts';
import { historyTab } from './job-history.ts';
import { logTab } from './job-log.ts';
import { planTab } from './job-plan.ts';
import { specificationTab } from './job-specification.ts';
import type { MakeTab, Tab } from './job-tab.ts';
import type { MakePage, Page } from './page.ts';

const tabs: { name: string; title: string; make: MakeTab }[] = [
  { name: 'curves', title: 'Curves', make: curvesTab },
  { name: 'plan', title: 'Precision plan', make: planTab },
  { name: 'logs', title: 'Logs', make: logTab },
  { name: 'artifacts', title: 'Artifacts', make: filesTab },
  { name: 'history', title: 'History', make: historyTab },
  { name: 'specification', title: 'Specification', make: specificationTab },
];
const mostEvents = 200;

/** A job, as it happens. */
export const jobPage: MakePage = (start, signal) => {
  const id = start.parts[1]!;
  const content = element('div', {}, element('h1', { tabindex: -1 }, 'Job'), loadingNote());
  const page: Page = { title: 'Job', element: content, moved };
  const events: JobEvent[] = [];
  let place = start;
  let job: Job | undefined;
  let tab: Tab | undefined;
  let leavingTab = new AbortController();
  signal.addEventListener('abort', () => leavingTab.abort());

  const actions = jobActions(accept, signal);
  const head = jobHead(actions.buttons);
  const tabLinks = tabs.map(({ name, title }) => element('a', { href: `#/jobs/${id}/${name}` }, title));
  const panel = element('div', { class: 'panel' });

  function accept(now: Job): void {
    const first = job === undefined;
    job = now;
    page.title = titleOf(now);
    head.update(now);
    actions.update(now);
    if (first) {
      refill(content, head.element, actions.note, element('nav', { class: 'tabs', 'aria-label': 'Of this job' }, tabLinks), panel);
      document.title = `${page.title} · HalfCell`;
      openTab();
    } else {
      tab?.update?.(now);
    }
  }

  function openTab(): void {
    const wanted = tabs.find(({ name }) => name === (place.parts[2] ?? 'curves')) ?? tabs[0]!;
    leavingTab.abort();
    leavingTab = new AbortController();
    tab = wanted.make({ job: job!, events, signal: leavingTab.signal });
    tabs.forEach((each, index) => {
      tabLinks[index]!.toggleAttribute('aria-current', false);
      if (each === wanted) {
        tabLinks[index]!.setAttribute('aria-current', 'page');
        tabLinks[index]!.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
    });
    refill(panel, tab.element);
  }

  function moved(next: Place): boolean {
    if (job === undefined || next.parts[0] !== 'jobs' || next.parts[1] !== id) {
      return false;
    }
    place = next;
    openTab();
    return true;
  }

  async function load(): Promise<void> {
    try {
      accept(await getJson<Job>(`v1/jobs/${encodeURIComponent(id)}`, signal));
    } catch (error) {
      if (!signal.aborted && job === undefined) {
        refill(content, element('h1', { tabindex: -1 }, 'Job'), errorNote(error), element('a', { href: '#/' }, 'All jobs'));
      }
    }
  }

  const reload = throttled(1000, signal, () => void load());
  void load().then(async () => {
    if (job === undefined) {
      return;
    }
    await followEvents(id, {
      event(event) {
        // Steps come by the thousand, and would push everything else out.
        if (event.kind !== 'step') {
          events.push(event);
          events.splice(0, events.length - mostEvents);
          tab?.event?.(event);
        }
        reload();
      },
      reset: reload,
      connected: (stands) => head.connected(stands || isOver(job!.state)),
    }, signal);
    reload();
  });
  return page;
};
