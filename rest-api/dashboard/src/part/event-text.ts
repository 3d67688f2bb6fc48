import type { JobEvent } from '../api/types.ts';
import { number } from '../format.ts';
import { textAt, valueAt } from './json.ts';

/** An event as a line of text. */
export function eventText(event: JobEvent): string {
  const data = event.data;
  const reason = textAt(data, '/reason/message') ?? textAt(data, '/message');
  switch (event.kind) {
    case 'state':
      return `${textAt(data, '/from') ?? 'new'} → ${textAt(data, '/to') ?? 'unknown'}${reason ? `: ${reason}` : ''}`;
    case 'notice':
      return reason ?? JSON.stringify(data);
    case 'scale':
      return `step ${told(event, 'step')}: ${told(event, 'from')} → ${told(event, 'to')}`;
    case 'checkpoint':
      return `step ${told(event, 'step')}: ${told(event, 'name')}`;
    case 'step':
    case 'epoch':
    case 'overflow':
      return Object.keys(data)
        .map((key) => `${key} ${told(event, key)}`)
        .join(', ');
  }
}

function told(event: JobEvent, key: string): string {
  const value = valueAt(event.data, `/${key}`);
  return typeof value === 'number' ? number(value) : typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
