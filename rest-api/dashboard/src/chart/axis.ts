import { number } from '../format.ts';

/** How values lie on an axis: where on it from 0 to 1, and which are marked. */
export interface Axis {
  at(value: number): number;
  ticks: { value: number; label: string }[];
}

/** An axis of equal distances; its ends are the ends of the values. */
export function linearAxis(low: number, high: number, count: number, label: (value: number) => string = number): Axis {
  const step = niceStep((high - low) / count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const ticks = [];
  for (let index = first; index <= last; index++) {
    const value = index * step;
    ticks.push({ value, label: label(Number(value.toPrecision(12))) });
  }
  return { at: (value) => (value - low) / (high - low), ticks };
}

/** An axis of equal ratios from power of two to power of two, for values above 0. */
export function powersAxis(values: (number | null)[], count: number): Axis {
  const powers = values.filter((value) => value !== null && value > 0).map((value) => Math.log2(value!));
  const bottom = Math.floor(powers.reduce((a, b) => Math.min(a, b), Infinity)) - 1;
  const top = Math.ceil(powers.reduce((a, b) => Math.max(a, b), bottom + 1)) + 1;
  const step = Math.max(1, Math.ceil((top - bottom) / count));
  const ticks = [];
  for (let power = bottom; power <= top; power += step) {
    ticks.push({ value: 2 ** power, label: powerOfTwo(power) });
  }
  return { at: (value) => (Math.log2(value) - bottom) / (top - bottom), ticks };
}

/** The ends of an axis that holds these values, which are not below 0, with room, never empty. */
export function extent(values: (number | null)[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value !== null && Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) {
    return [0, 1];
  }
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [Math.max(0, low - room), high + room];
}

function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const digit = [1, 2, 5, 10].find((candidate) => candidate * power >= wanted * 0.999) ?? 10;
  return digit * power;
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function powerOfTwo(power: number): string {
  const digits = [...String(Math.abs(power))].map((digit) => raised[Number(digit)]).join('');
  return `2${power < 0 ? '⁻' : ''}${digits}`;
}
