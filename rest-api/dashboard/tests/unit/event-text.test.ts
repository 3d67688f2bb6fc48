import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventText } from '../../src/part/event-text.ts';
import type { JobEvent, JsonObject } from '../../src/api/types.ts';

const told = (kind: JobEvent['kind'], data: JsonObject) => eventText({ job: 'a'.repeat(32), number: 1, attempt: 1, at: '2026-01-01T00:00:00Z', kind, data });

test('states are told by the words of their badges', () => {
  assert.equal(told('state', { from: 'STARTING', to: 'RUNNING', reason: { code: 'TRAINING', message: 'Its worker trains.' } }), 'Starting → Running: Its worker trains.');
  assert.equal(told('state', { from: null, to: 'QUEUED' }), 'New → Queued');
});

test('an epoch that ends and one that is measured have figures with names that people read', () => {
  assert.equal(told('epoch', { epoch: 1, meanLoss: 0.912345, samples: 8000, refused: 0, seconds: 75.2 }), 'epoch 1: mean loss 0.9123, 1 min 15 s');
  assert.equal(told('epoch', { epoch: 2, meanLoss: null, samples: 8000, refused: 3, seconds: 4 }), 'epoch 2: mean loss –, 4 s, 3 skipped');
  assert.equal(told('epoch', { epoch: 2, metrics: { test_accuracy: 0.781, test_loss: 0.6543219 } }), 'epoch 2: test accuracy 0.781, test loss 0.6543');
});

test('overflows and scales are told with their steps', () => {
  assert.equal(told('overflow', { step: 1268, count: 1 }), 'step 1,268: 1 step skipped');
  assert.equal(told('overflow', { step: 268, count: 3 }), 'step 268: 3 steps skipped');
  assert.equal(told('scale', { step: 268, from: 65536, to: 32768 }), 'step 268: 65,536 → 32,768');
});
