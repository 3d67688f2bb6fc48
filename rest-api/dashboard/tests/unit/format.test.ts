import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, bytes, count, duration, number, percent, secondsBetween, words } from '../../src/format.ts';

test('numbers have four digits and no more zeros than they need', () => {
  assert.deepEqual([0.138401, 12, 65536, 0, 0.00001234, 2.5e12, -0.5].map(number), ['0.1384', '12', '65,536', '0', '1.23e-5', '2.50e12', '-0.5']);
  assert.deepEqual([null, undefined, Number.NaN, Infinity].map(number), ['–', '–', '–', '–']);
  assert.equal(count(1234567), '1,234,567');
  assert.equal(percent(0.93154), '93.15 %');
});

test('bytes go by 1024', () => {
  assert.deepEqual([0, 1023, 1024, 459_995_968, 6 * 2 ** 30].map(bytes), ['0 B', '1023 B', '1.0 KiB', '439 MiB', '6.0 GiB']);
});

test('durations have their two largest units', () => {
  assert.deepEqual([0, 59.6, 61, 3600, 4321, 90_061].map(duration), ['0 s', '1 min', '1 min 1 s', '1 h', '1 h 12 min', '1 d 1 h']);
});

test('a job without an end runs until now', () => {
  const now = Date.parse('2026-01-01T00:02:00Z');
  assert.equal(secondsBetween('2026-01-01T00:00:00Z', undefined, now), 120);
  assert.equal(secondsBetween(undefined, undefined, now), undefined);
  assert.equal(ago('2026-01-01T00:00:00Z', now), '2 min ago');
  assert.equal(ago('2026-01-01T00:01:58Z', now), 'just now');
});

test('keys are read as words', () => {
  assert.deepEqual(['gradients_and_workspaces', 'batchSize', 'ema'].map(words), ['Gradients and workspaces', 'Batch size', 'Ema']);
});
