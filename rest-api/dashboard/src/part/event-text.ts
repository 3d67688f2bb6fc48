import type { JobEvent, JobState, Json } from '../api/types.ts';
import { count, duration, number } from '../format.ts';
import { stateWord } from './job-state.ts';
import { numberAt, textAt, valueAt } from './json.ts';

/** An event as a line of text. */
export function eventText(event: JobEvent): string {
  const data = event.data;
  const reason = textAt(data, '/reason/message') ?? textAt(data, '/message');
  switch (event.kind) {
    case 'state':
      return `${stateAt(event, 'from') ?? 'New'} → ${stateAt(event, 'to') ?? 'unknown'}${reason ? `: ${reason}` : ''}`;
    case 'notice':
      return reason ?? JSON.stringify(data);
    case 'scale':
      return `step ${told(event, 'step')}: ${told(event, 'from')} → ${told(event, 'to')}`;
    case 'checkpoint':
      return `step ${told(event, 'step')}: ${told(event, 'name')}`;
    case 'overflow': {
      const skipped = numberAt(data, '/count') ?? 1;
      return `step ${told(event, 'step')}: ${count(skipped)} ${skipped === 1 ? 'step' : 'steps'} skipped`;
    }
    case 'epoch':
      return `epoch ${told(event, 'epoch')}: ${epochFigures(event).join(', ')}`;
    case 'step':
      return Object.keys(data)
        .map((key) => `${key} ${told(event, key)}`)
        .join(', ');
  }
}

/** An epoch is told of when it ends, and once more when the network was measured behind it. */
function epochFigures({ data }: JobEvent): string[] {
  const measured = Object.entries(valueAt(data, '/metrics') ?? {});
  const refused = numberAt(data, '/refused') ?? 0;
  return [
    'meanLoss' in data && `mean loss ${figure(data['meanLoss'])}`,
    'seconds' in data && duration(numberAt(data, '/seconds')),
    refused > 0 && `${count(refused)} skipped`,
    ...measured.map(([name, value]) => `${name.replaceAll('_', ' ')} ${figure(value as Json)}`),
  ].filter((part) => part !== false);
}

function stateAt(event: JobEvent, key: string): string | undefined {
  const state = textAt(event.data, `/${key}`);
  return state && stateWord(state as JobState);
}

function told(event: JobEvent, key: string): string {
  return figure(valueAt(event.data, `/${key}`));
}

function figure(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' || value === null || value === undefined ? number(value) : JSON.stringify(value);
}
