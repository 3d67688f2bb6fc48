import { element, refill } from '../dom/element.ts';
import type { DryRun, JsonObject } from '../api/types.ts';
import { bytes, count, duration } from '../format.ts';
import { textAt } from './json.ts';
import { memoryBar } from './memory.ts';
import { errorNote, levelBadge } from './parts.ts';
import { planStrip, planView } from './plan.ts';

/** What would be trained, before it is: plan, memory, steps. */
export function previewPanel() {
  const told = element('div', { class: 'preview-told' });
  const cells = disclosure('Precision of every cell');
  const sent = disclosure('What is sent');
  const body = element('div', { class: 'preview-body' }, told, cells.element, sent.element);
  const panel = element('section', { class: 'card preview', 'aria-label': 'Preview' }, body);
  return {
    element: panel,
    wait: () => panel.setAttribute('aria-busy', 'true'),
    fail(error: unknown) {
      panel.removeAttribute('aria-busy');
      const heading = element('h2', { tabindex: -1 }, 'Preview');
      const inside = [cells, sent].some((each) => each.element.contains(document.activeElement));
      refill(told, heading, errorNote(error));
      cells.hide();
      sent.hide();
      if (inside) {
        heading.focus();
      }
    },
    show(answer: DryRun, specification: JsonObject) {
      panel.removeAttribute('aria-busy');
      refill(told, contents(answer));
      cells.show(planView(answer.plan));
      sent.show(element('pre', { class: 'code', tabindex: 0, 'aria-label': 'Specification' }, JSON.stringify(specification, null, 2)));
    },
  };
}

/** What is opened to be seen. Filled anew it stays open or closed, and whoever is on it with the keyboard stays there. */
function disclosure(title: string) {
  const summary = element('summary', {}, title);
  const content = element('div', {});
  const whole = element('details', { hidden: true }, summary, content);
  return {
    element: whole,
    hide: () => (whole.hidden = true),
    show(shown: HTMLElement) {
      const inside = content.contains(document.activeElement);
      refill(content, shown);
      whole.hidden = false;
      if (inside) {
        summary.focus();
      }
    },
  };
}

function contents(answer: DryRun): HTMLElement[] {
  const device = answer.memory.device;
  const fits = answer.memory.bytes <= answer.memory.limitBytes;
  const half = textAt(answer.resolved, '/precision/half');
  return [
    element('h2', {}, answer.network, ' ', levelBadge(answer.level, half)),
    element('p', { role: 'status' }, `${count(answer.totalSteps)} steps: ${count(answer.epochs)} epochs of ${count(answer.stepsPerEpoch)}, ${count(answer.batchSize)} samples each. ${answer.time === undefined ? '' : `About ${duration(answer.time.seconds)} once it runs, as the last job of its kind took. `}${fits ? '' : `Needs ${bytes(answer.memory.bytes)}, more than a job may hold.`}`),
    element('div', { class: 'strip-frame' }, planStrip(answer.plan)),
    memoryBar(answer.memory.bytes, answer.memory.parts, answer.memory.limitBytes),
    ...(device === undefined ? [] : [memoryBar(device.bytes, device.parts, device.limitBytes, `Memory of ${device.name}`, 'it has')]),
  ];
}
