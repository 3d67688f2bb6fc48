import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extent, linearAxis, powersAxis } from '../../src/chart/axis.ts';

test('a linear axis is marked at round numbers within its ends', () => {
  const axis = linearAxis(0.03, 2.31, 5);
  assert.deepEqual(axis.ticks.map((tick) => tick.label), ['0.5', '1', '1.5', '2']);
  assert.equal(axis.at(0.03), 0);
  assert.equal(axis.at(2.31), 1);
});

test('an axis of powers leaves room around its values', () => {
  const axis = powersAxis([65536, null, 0, 1024], 5);
  assert.deepEqual(axis.ticks[0], { value: 512, label: '2⁹' });
  assert.ok(axis.at(1024) > 0 && axis.at(65536) < 1);
  assert.equal(powersAxis([0.25], 5).ticks[0]!.label, '2⁻³');
});

test('an extent is never empty and never below 0', () => {
  assert.deepEqual(extent([null, Number.NaN]), [0, 1]);
  const [low, high] = extent([5, 5]);
  assert.ok(low < 5 && high > 5);
  assert.equal(extent([0.001, 1])[0], 0);
});
