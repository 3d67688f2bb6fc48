import { element, refill } from '../dom/element.ts';
import { getJson } from '../api/client.ts';
import { download } from '../api/download.ts';
import { followLog, readLogTail } from '../api/log.ts';
import type { Job } from '../api/types.ts';
import { errorNote } from '../part/parts.ts';
import { isOver } from '../part/job-state.ts';
import type { MakeTab } from './job-tab.ts';

const tailLines = 1000;
const mostPieces = 4000;

/** What the workers printed, as it comes. */
export const logTab: MakeTab = ({ job, signal }) => {
  const text = element('pre', { class: 'log', tabindex: 0, role: 'log', 'aria-label': 'Log' });
  const note = element('div', {});
  const follow = element('input', { type: 'checkbox', id: 'follow', checked: true });
  const fail = (error: unknown) => {
    if (!signal.aborted) {
      refill(note, errorNote(error));
    }
  };

  function append(piece: string): void {
    text.append(piece);
    while (text.childNodes.length > mostPieces) {
      text.firstChild!.remove();
    }
    if (follow.checked) {
      text.scrollTop = text.scrollHeight;
    }
  }

  // Whoever scrolls up wants to read, and who scrolls to the end wants to go on.
  text.addEventListener('scroll', () => {
    follow.checked = text.scrollTop + text.clientHeight >= text.scrollHeight - 8;
  });
  follow.addEventListener('change', () => append(''));

  async function read(): Promise<void> {
    const tail = await readLogTail(job.id, tailLines, signal);
    append(tail.text);
    if (isOver(job.state)) {
      if (tail.text === '') {
        text.append('Nothing was printed.');
      }
      return;
    }
    const ended = async () => isOver((await getJson<Job>(`v1/jobs/${job.id}`, signal)).state);
    await followLog(job.id, tail.position, append, ended, signal);
  }

  void read().catch(fail);
  const save = () => void download(`v1/jobs/${job.id}/logs`, `${job.id}.log`, 'text/plain').catch(fail);
  return {
    element: element(
      'div',
      {},
      element('div', { class: 'spread' }, element('span', { class: 'check' }, follow, element('label', { for: 'follow' }, 'Follow')), element('button', { click: save }, 'Download all')),
      note,
      text,
    ),
  };
};
