import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from '../../src/router.ts';

test('an address has parts and a query, even if it is broken', () => {
  assert.deepEqual(placeOf('').parts, []);
  assert.deepEqual(placeOf('#/jobs/ab%20c/logs').parts, ['jobs', 'ab c', 'logs']);
  assert.deepEqual(placeOf('#/jobs/%zz').parts, ['jobs', '%zz']);
  assert.deepEqual(placeOf('#/?state=FAILED&state=QUEUED').query.getAll('state'), ['FAILED', 'QUEUED']);
});
