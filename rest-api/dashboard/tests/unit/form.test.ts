import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../src/api/types.ts';
import { kindOf, resolved, type Schema } from '../../src/form/schema.ts';
import { parse, written } from '../../src/form/value.ts';
import { valueAt } from '../../src/part/json.ts';
import { openApiDocument } from '../mock/document.ts';

const document = openApiDocument();
const schema = valueAt(document, '/components/schemas/JobSpecification') as Schema;

function at(...keys: string[]): Schema {
  return keys.reduce((parent, key) => {
    const kind = kindOf(parent, schema, document);
    assert.ok(kind.is === 'fields', `${key} lies in no fields`);
    return resolved(kind.properties[key]!, schema, document);
  }, schema);
}

const kindAt = (...keys: string[]) => kindOf(at(...keys), schema, document);

test('every key of the schema is typed into something that fits it', () => {
  assert.equal(kindAt('network').is, 'fields');
  assert.equal(kindAt('training', 'optimizer').is, 'fields');
  assert.deepEqual(kindAt('training', 'epochs'), { is: 'number', whole: true, minimum: 1, maximum: 10000 });
  assert.deepEqual(kindAt('precision', 'half'), { is: 'choice', options: ['fp16', 'bf16'] });
  assert.deepEqual(kindAt('logs'), { is: 'choices', options: ['tensorboard', 'csv'] });
  assert.deepEqual(kindAt('labels'), { is: 'pairs' });
  assert.deepEqual(kindAt('resources', 'memoryLimit'), { is: 'text', orNumber: true });
  assert.deepEqual(kindAt('dataset', 'config', 'shape'), { is: 'list', numbers: true });
  assert.deepEqual(kindAt('precision', 'options', 'allow'), { is: 'list', numbers: false });
  assert.equal(kindAt('precision', 'options', 'diagnose').is, 'yes-no');
  assert.equal(kindAt('dataset', 'config', 'augmentations').is, 'json');
});

test('references are found in the schema itself or in the document around it', () => {
  const inside: Schema = { properties: { a: { $ref: '#/$defs/A', description: 'here' } }, ...({ $defs: { A: { type: 'boolean', description: 'there' } } } as object) };
  assert.deepEqual(resolved(inside.properties!['a']!, inside, {}), { type: 'boolean', description: 'here' });
  assert.throws(() => resolved({ $ref: '#/nowhere' }, {}, {}), /nowhere/);
});

test('what is typed becomes the value, and the value what was typed', () => {
  const values: [Parameters<typeof parse>[1], string, Json | undefined][] = [
    [{ is: 'number', whole: false }, '0.5', 0.5],
    [{ is: 'text', orNumber: true }, '6GiB', '6GiB'],
    [{ is: 'text', orNumber: true }, '1048576', 1_048_576],
    [{ is: 'list', numbers: true }, '1, 28, 28', [1, 28, 28]],
    [{ is: 'pairs' }, 'team=vision, run=3', { team: 'vision', run: '3' }],
    [{ is: 'yes-no' }, 'false', false],
    [{ is: 'text', orNumber: false }, '', undefined],
  ];
  for (const [kind, text, value] of values) {
    assert.deepEqual(parse(text, kind), value);
    assert.equal(written(value, kind), text);
  }
  assert.throws(() => parse('team', { is: 'pairs' }), /key=value/);
  assert.throws(() => parse('[', { is: 'json' }), SyntaxError);
});
