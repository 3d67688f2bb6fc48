import { element, refill } from '../dom/element.ts';
import { getJson, newKey, postJson, Refused } from '../api/client.ts';
import { wait } from '../api/wait.ts';
import type { Comparison, DryRun, Job, JsonObject } from '../api/types.ts';
import { schemaForm, type SchemaForm } from '../form/form.ts';
import { loadOffer } from '../form/offer.ts';
import { levelChoice } from '../part/level-choice.ts';
import { errorNote, loadingNote } from '../part/parts.ts';
import { previewPanel } from '../part/preview.ts';
import { go } from '../router.ts';
import type { MakePage } from './page.ts';

const previewDelay = 500;

/** A form made of the schema, with what would be trained beside it. */
export const submitPage: MakePage = (place, signal) => {
  const content = element('div', {}, loadingNote());
  void start(content, place.query.get('from'), signal).catch((error: unknown) => {
    if (!signal.aborted) {
      refill(content, errorNote(error));
    }
  });
  return { title: 'Submit a job', element: element('div', {}, element('h1', { tabindex: -1 }, 'Submit a job'), content) };
};

async function start(content: HTMLElement, from: string | null, signal: AbortSignal): Promise<void> {
  const [offer, source] = await Promise.all([loadOffer(signal), from === null ? undefined : getJson<Job>(`v1/jobs/${encodeURIComponent(from)}`, signal)]);
  const form = schemaForm({ ...offer, open: ['/network', '/precision', '/training'] });
  form.set(source?.specification ?? { network: { name: offer.firstNetwork }, precision: { level: 'O2' } });
  const comparison = levelChoice(offer.levels, () => (send.textContent = sendText(comparison.value().levels)));
  const preview = previewPanel();
  const note = element('div', {});
  const send = element('button', { class: 'primary', type: 'submit' }, sendText([]));
  const whole = element(
    'form',
    { class: 'submit', novalidate: true },
    element('div', { class: 'submit-form' }, form.element, comparison.element),
    element('div', { class: 'submit-side' }, preview.element, note, send),
  );
  const previewer = previews(form, preview, signal);
  whole.addEventListener('input', previewer);
  whole.addEventListener('submit', (event) => {
    event.preventDefault();
    send.disabled = true;
    void submit().catch(failed).finally(() => (send.disabled = false));
  });
  refill(content, source && element('p', { class: 'hint' }, `Starts from ${source.name ?? source.id}; change what should differ.`), whole);
  previewer();

  /** A request that is sent again is the same job, until it is changed. */
  let sent = { body: '', key: '' };
  async function submit(): Promise<void> {
    const { levels, seeds } = comparison.value();
    const specification = form.value() ?? {};
    const body = levels.length === 0 ? specification : { specification, levels, ...(seeds.length > 0 ? { seeds } : {}) };
    const text = JSON.stringify(body);
    sent = text === sent.body ? sent : { body: text, key: newKey() };
    const headers = { 'Idempotency-Key': sent.key };
    if (levels.length === 0) {
      go(`#/jobs/${(await postJson<Job>('v1/jobs', { body, headers, signal })).id}`);
    } else {
      go(`#/comparisons/${(await postJson<Comparison>('v1/comparisons', { body, headers, signal })).id}`);
    }
  }

  function failed(error: unknown): void {
    if (!signal.aborted) {
      refill(note, errorNote(error));
      form.faults(faultsOf(error));
      form.focusFault();
    }
  }
}

/** Asks the server, shortly after the last change, what the job would be. */
function previews(form: SchemaForm, preview: ReturnType<typeof previewPanel>, signal: AbortSignal): () => void {
  let asked = new AbortController();
  const ask = async (mine: AbortSignal) => {
    await wait(previewDelay, mine);
    form.faults([]);
    const specification: JsonObject = form.value() ?? {};
    const answer = await postJson<DryRun>('v1/jobs?dryRun=true', { body: specification, signal: mine });
    form.suggest(answer.resolved);
    preview.show(answer, specification);
  };
  return () => {
    asked.abort();
    asked = new AbortController();
    const mine = AbortSignal.any([asked.signal, signal]);
    preview.wait();
    ask(mine).catch((error: unknown) => {
      if (!mine.aborted) {
        form.faults(faultsOf(error));
        preview.fail(error);
      }
    });
  };
}

function faultsOf(error: unknown) {
  const faults = error instanceof Refused ? (error.problem.errors ?? []) : [];
  return faults.map(({ pointer, message, allowed }) => ({ pointer, message: allowed === undefined ? message : `${message} (${allowed})` }));
}

function sendText(levels: string[]): string {
  return levels.length === 0 ? 'Submit job' : `Submit comparison of ${levels.join(', ')}`;
}
