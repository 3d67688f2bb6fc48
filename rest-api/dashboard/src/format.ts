/** Numbers and times as people read them. */

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** What stands where a value is not known. */
export const unknown = '–';

/** 12,345. */
export function count(value: number | undefined): string {
  return value === undefined ? unknown : whole.format(value);
}

/** Four significant digits; very large and very small ones with a power of ten. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return unknown;
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.0001 || size >= 1e9)) {
    return value.toExponential(2).replace('e+', 'e');
  }
  if (size >= 1000) {
    return whole.format(value);
  }
  return String(Number(value.toPrecision(4)));
}

/** 93.15 %. */
export function percent(fraction: number | null | undefined, digits = 2): string {
  return fraction === null || fraction === undefined ? unknown : `${(100 * fraction).toFixed(digits)} %`;
}

/** 438.7 MiB. */
export function bytes(value: number | undefined): string {
  if (value === undefined) {
    return unknown;
  }
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = value < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
  const scaled = value / 1024 ** power;
  const digits = power === 0 || scaled >= 100 ? 0 : 1;
  return `${scaled.toFixed(digits)} ${units[power]}`;
}

/** The two largest units: 1 h 12 min. */
export function duration(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) {
    return unknown;
  }
  const total = Math.max(0, Math.round(seconds));
  const parts = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'min'],
    [total % 60, 's'],
  ] as const;
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first < 0) {
    return '0 s';
  }
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
}

/** Seconds from one time to another, or to now. */
export function secondsBetween(from: string | undefined, to: string | undefined, now = Date.now()): number | undefined {
  if (from === undefined) {
    return undefined;
  }
  return ((to === undefined ? now : Date.parse(to)) - Date.parse(from)) / 1000;
}

/** 3 min ago. */
export function ago(time: string, now = Date.now()): string {
  const seconds = (now - Date.parse(time)) / 1000;
  if (seconds < 5) {
    return 'just now';
  }
  return `${roughly(seconds)} ago`;
}

/** The largest unit alone: 3 min. */
export function roughly(seconds: number): string {
  return duration(seconds).split(' ').slice(0, 2).join(' ');
}

/** 22 Nov 2026, 19:40:13, where the reader is. */
export function moment(time: string): string {
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}

/** The first digits of an identity, which people tell jobs apart by. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** Words of a key: gradients_and_workspaces and batchSize. */
export function words(key: string): string {
  const spaced = key.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
