import { element, refill } from '../dom/element.ts';
import { getJson } from '../api/client.ts';
import { download } from '../api/download.ts';
import type { Artifact } from '../api/types.ts';
import { bytes } from '../format.ts';
import { emptyNote, errorNote, loadingNote, table, timeOf } from '../part/parts.ts';
import type { MakeTab } from './job-tab.ts';

/** The files that a job has made. */
export const filesTab: MakeTab = ({ job, signal }) => {
  const content = element('div', {}, loadingNote());
  const note = element('div', {});
  const fail = (error: unknown) => {
    if (!signal.aborted) {
      refill(note, errorNote(error));
    }
  };

  function row(file: Artifact): HTMLElement {
    const path = `v1/jobs/${job.id}/artifacts/${encodeURIComponent(file.name)}`;
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, element('button', { class: 'link', 'aria-label': `Download ${file.name}`, click: () => void download(path, file.name, '*/*').catch(fail) }, file.name)),
      element('td', { class: 'number' }, bytes(file.bytes)),
      element('td', {}, timeOf(file.modifiedAt)),
      element('td', {}, element('code', { class: 'digest', title: file.sha256 }, file.sha256.slice(0, 16))),
    );
  }

  getJson<{ artifacts: Artifact[] }>(`v1/jobs/${job.id}/artifacts`, signal).then(({ artifacts }) => {
    const head = ['File', element('th', { scope: 'col', class: 'number' }, 'Size'), 'Written', 'SHA-256'];
    refill(content, note, artifacts.length > 0 ? table('Artifacts', head, artifacts.map(row)) : emptyNote('No files yet.', element('p', {}, 'Checkpoints come while it trains, the model at its end.')));
  }, (error: unknown) => {
    refill(content, note);
    fail(error);
  });
  return { element: content };
};
