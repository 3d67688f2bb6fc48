import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smoothed, thin } from '../../src/chart/sample.ts';

const steps = Array.from({ length: 2000 }, (_, index) => index + 1);

test('at most a point for each column, with the first and the last step', () => {
  const thinned = thin({ x: steps, y: steps }, 1, 2000, 300);
  assert.ok(thinned.x.length <= 302, `${thinned.x.length} points`);
  assert.equal(thinned.x[0], 1);
  assert.equal(thinned.x.at(-1), 2000);
  assert.ok(thinned.x.every((x, index) => index === 0 || x > thinned.x[index - 1]!));
});

test('a spike of one step stays in the range of its column', () => {
  const values = steps.map((step) => (step === 777 ? 50 : step === 778 ? -50 : 1));
  const thinned = thin({ x: steps, y: values }, 1, 2000, 100);
  assert.equal(Math.max(...thinned.high.map(Number)), 50);
  assert.equal(Math.min(...thinned.low.map(Number)), -50);
});

test('what is not known is left out of ranges, and alone it is a gap', () => {
  const thinned = thin({ x: [1, 2, 3, 4], y: [1, null, 3, null] }, 0, 4, 100);
  assert.deepEqual(thinned.y, [1, null, 3, null]);
  const merged = thin({ x: [0, 5, 6, 7], y: [1, 2, null, 4] }, 0, 10, 2);
  assert.deepEqual([merged.y.at(-1), merged.low.at(-1), merged.high.at(-1)], [4, 2, 4]);
});

test('only what lies between the two steps is shown', () => {
  assert.deepEqual(thin({ x: [1, 5, 9], y: [1, 5, 9] }, 2, 8, 10).x, [5]);
});

test('a mean around each value neither lags nor fills gaps', () => {
  const line = steps.map((step) => 3 * step);
  smoothed(line, 20).forEach((mean, index) => assert.ok(Math.abs(mean! - line[index]!) < 1e-6));
  assert.deepEqual(smoothed([2, null, 4], 1), [2, null, 4]);
  assert.equal(smoothed([0, 3, 6, 3, 0], 1)[2], 4);
});
