import type { Json } from '../api/types.ts';

/** What a JSON pointer leads to, or nothing. */
export function valueAt(document: Json | undefined, pointer: string): Json | undefined {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (value === null || typeof value !== 'object') {
      return undefined;
    }
    value = Array.isArray(value) ? value[Number(key)] : Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

export function textAt(document: Json, pointer: string): string | undefined {
  const value = valueAt(document, pointer);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(document: Json, pointer: string): number | undefined {
  const value = valueAt(document, pointer);
  return typeof value === 'number' ? value : undefined;
}

/** A pointer one key further. */
export function below(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
