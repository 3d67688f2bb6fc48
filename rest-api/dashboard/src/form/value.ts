import type { Json } from '../api/types.ts';
import type { Kind } from './schema.ts';

/** What was typed as a value; nothing where the field is empty. Throws where it is no such value. */
export function parse(text: string, kind: Kind): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === '') {
    return undefined;
  }
  switch (kind.is) {
    case 'number':
      return numberOf(trimmed);
    case 'yes-no':
      return trimmed === 'true';
    case 'text':
      return kind.orNumber && /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
    case 'list':
      return itemsOf(trimmed).map((item) => (kind.numbers ? numberOf(item) : item));
    case 'pairs':
      return Object.fromEntries(itemsOf(trimmed).map(pairOf));
    case 'json':
    case 'fields':
      return JSON.parse(trimmed) as Json;
    case 'choice':
    case 'choices':
      return trimmed;
  }
}

/** A value as it would be typed. */
export function written(value: Json | undefined, kind: Kind): string {
  if (value === undefined || value === null) {
    return '';
  }
  if (kind.is === 'list') {
    return (Array.isArray(value) ? value : [value]).map(String).join(', ');
  }
  if (kind.is === 'pairs' && typeof value === 'object') {
    return Object.entries(value).map(([key, one]) => `${key}=${String(one)}`).join(', ');
  }
  if (kind.is === 'json' || kind.is === 'fields') {
    return JSON.stringify(value, null, 2);
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function itemsOf(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function numberOf(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new Error(`“${text}” is no number.`);
  }
  return value;
}

function pairOf(item: string): [string, string] {
  const cut = item.indexOf('=');
  if (cut < 1) {
    throw new Error(`“${item}” has to be key=value.`);
  }
  return [item.slice(0, cut).trim(), item.slice(cut + 1).trim()];
}
