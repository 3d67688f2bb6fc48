import { element, refill } from '../dom/element.ts';
import { openDialog } from '../dom/dialog.ts';
import { newKey, postJson, request } from '../api/client.ts';
import type { Job, JobState } from '../api/types.ts';
import { go } from '../router.ts';
import { errorNote } from './parts.ts';
import { isOver, titleOf } from './job-state.ts';

const waiting: JobState[] = ['QUEUED', 'STARTING', 'RUNNING', 'INTERRUPTED'];

/** What can be done with a job in its state; tells the job as it is then. */
export function jobActions(changed: (job: Job) => void, signal: AbortSignal) {
  const buttons = element('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' });
  const note = element('div', {});
  let shownFor = '';

  async function run(button: HTMLButtonElement, action: () => Promise<void>): Promise<void> {
    button.disabled = true;
    refill(note);
    try {
      await action();
    } catch (error) {
      if (!signal.aborted) {
        refill(note, errorNote(error));
      }
    }
    button.disabled = false;
  }

  function act(name: string, action: () => Promise<void>, look = ''): HTMLElement {
    const button: HTMLButtonElement = element('button', { class: look, click: () => void run(button, action) }, name);
    return button;
  }

  function offered(job: Job): (HTMLElement | false)[] {
    const path = `v1/jobs/${job.id}`;
    const post = async (verb: string) => {
      const now = await postJson<Job>(`${path}/${verb}`, { headers: verb === 'resume' ? { 'Idempotency-Key': newKey() } : {}, signal });
      if (now.id === job.id) {
        changed(now);
      } else {
        go(`#/jobs/${now.id}`);
      }
    };
    const canPause = waiting.includes(job.state) && job.statusReason.code !== 'PAUSING';
    const canResume = ['PAUSED', 'FAILED', 'CANCELLED'].includes(job.state);
    return [
      canPause && act('Pause', () => post('pause')),
      canResume && act(job.state === 'PAUSED' ? 'Resume' : 'Resume as a new job', () => post('resume'), 'primary'),
      element('a', { class: 'button', href: `#/submit?from=${job.id}` }, 'Clone'),
      (waiting.includes(job.state) || job.state === 'PAUSED') && act('Cancel job', () => asked('Cancel', job, () => post('cancel')), 'danger'),
      isOver(job.state) && act('Delete', () => asked('Delete', job, () => remove(path)), 'danger'),
    ];
  }

  async function remove(path: string): Promise<void> {
    await request(path, { method: 'DELETE', signal });
    go('#/');
  }

  return {
    buttons,
    note,
    update(job: Job) {
      // Made anew only where they change, for one of them may have the focus.
      const now = `${job.state} ${job.statusReason.code}`;
      if (now !== shownFor) {
        shownFor = now;
        refill(buttons, offered(job));
      }
    },
  };
}

async function asked(verb: 'Cancel' | 'Delete', job: Job, action: () => Promise<void>): Promise<void> {
  const loss =
    verb === 'Cancel'
      ? 'Its worker saves its state and ends. It can be resumed as a new job later.'
      : 'Its curves, logs and artifacts are deleted with it. This cannot be undone.';
  const sure = await openDialog({ title: `${verb} “${titleOf(job)}”?`, body: [element('p', {}, loss)], confirm: `${verb} job`, danger: true });
  if (sure) {
    await action();
  }
}
