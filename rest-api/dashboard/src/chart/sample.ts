/** A line over steps; low and high are the band that a point stands for. */
export interface Points {
  x: number[];
  y: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
}

/**
 * At most one point for each of so many columns between two steps: the last value of each, and the
 * least and greatest, so that no spike is lost. The first and last point stay where they are.
 */
export function thin(points: Points, from: number, to: number, columns: number): Required<Points> {
  const thinned: Required<Points> = { x: [], y: [], low: [], high: [] };
  const width = (to - from) / columns || 1;
  let column = -1;
  points.x.forEach((x, index) => {
    if (x < from || x > to) {
      return;
    }
    const y = points.y[index] ?? null;
    const low = points.low?.[index] ?? y;
    const high = points.high?.[index] ?? y;
    const at = Math.floor((x - from) / width);
    const last = thinned.x.length - 1;
    if (at === column && last > 0) {
      thinned.x[last] = x;
      thinned.y[last] = y ?? thinned.y[last]!;
      thinned.low[last] = pick(Math.min, thinned.low[last]!, low);
      thinned.high[last] = pick(Math.max, thinned.high[last]!, high);
    } else {
      thinned.x.push(x);
      thinned.y.push(y);
      thinned.low.push(low);
      thinned.high.push(high);
    }
    column = at;
  });
  return thinned;
}

function pick(choose: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : choose(a, b);
}

/** The mean around each value, so that it lies where the values do; what is not known stays so. */
export function smoothed(values: (number | null)[], around: number): (number | null)[] {
  const sums = [0];
  const known = [0];
  values.forEach((value, index) => {
    sums.push(sums[index]! + (value ?? 0));
    known.push(known[index]! + (value === null ? 0 : 1));
  });
  return values.map((value, index) => {
    const reach = Math.min(around, index, values.length - 1 - index);
    const [from, to] = [index - reach, index + reach + 1];
    return value === null ? null : (sums[to]! - sums[from]!) / (known[to]! - known[from]!);
  });
}
