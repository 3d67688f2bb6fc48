import { element, refill } from '../dom/element.ts';
import { getJson } from '../api/client.ts';
import type { Plan } from '../api/types.ts';
import { memoryBar } from '../part/memory.ts';
import { errorNote, loadingNote } from '../part/parts.ts';
import { planView } from '../part/plan.ts';
import type { MakeTab } from './job-tab.ts';

/** What computes in which dtype, and what memory it takes. */
export const planTab: MakeTab = ({ job, signal }) => {
  const content = element('div', {}, loadingNote());
  getJson<Plan>(`v1/jobs/${job.id}/plan`, signal).then(
    (plan) => {
      const bars = [memoryBar(plan.estimated_peak_bytes ?? job.estimatedBytes, plan.estimated_parts ?? {})];
      if (plan.estimated_device_bytes !== undefined) {
        bars.push(memoryBar(plan.estimated_device_bytes, plan.estimated_device_parts ?? {}, undefined, 'Memory of the device'));
      }
      refill(content, planView(plan), ...bars);
    },
    (error: unknown) => {
      if (!signal.aborted) {
        refill(content, errorNote(error));
      }
    },
  );
  return { element: content };
};
