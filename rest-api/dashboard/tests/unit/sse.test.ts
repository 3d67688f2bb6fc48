import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StreamParser } from '../../src/api/sse.ts';

const stream = ': hello\r\n\r\nid: 7\nevent: step\ndata: {"a":1}\n\ndata: first\ndata:second\n\nevent: end\ndata\n\nevent: lost\n\n';

test('a stream is the same events in whatever pieces it comes', () => {
  const whole = new StreamParser().push(stream);
  assert.deepEqual(whole, [
    { id: '7', name: 'step', data: '{"a":1}' },
    { id: '7', name: 'message', data: 'first\nsecond' },
    { id: '7', name: 'end', data: '' },
  ]);
  for (let size = 1; size < 12; size++) {
    const parser = new StreamParser();
    const pieces = stream.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
    assert.deepEqual(pieces.flatMap((piece) => parser.push(piece)), whole, `pieces of ${size}`);
  }
});

test('lines end with CR, LF or both, even cut between them', () => {
  const parser = new StreamParser();
  assert.deepEqual(parser.push('data: a\r\rdata: b\r'), [{ id: '', name: 'message', data: 'a' }]);
  assert.deepEqual(parser.push('\n\r\n'), [{ id: '', name: 'message', data: 'b' }]);
});

test('an event that was cut off is none', () => {
  const parser = new StreamParser();
  assert.deepEqual(parser.push('id: 9\nevent: end\ndata: {}\n'), []);
});
