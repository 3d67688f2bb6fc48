import type { Json } from '../api/types.ts';
import { valueAt } from '../part/json.ts';

/** The parts of JSON schema that specifications are written in. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: Json[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** What a value is typed into. */
export type Kind =
  | { is: 'fields'; properties: Record<string, Schema> }
  | { is: 'choice'; options: string[] }
  | { is: 'choices'; options: string[] }
  | { is: 'yes-no' }
  | { is: 'number'; whole: boolean; minimum?: number; maximum?: number }
  | { is: 'text'; maxLength?: number; pattern?: string; orNumber: boolean }
  | { is: 'list'; numbers: boolean }
  | { is: 'pairs' }
  | { is: 'json' };

/** A schema without its reference; what is said at the reference goes before what is said there. */
export function resolved(schema: Schema, root: Schema, document: Json): Schema {
  if (schema.$ref === undefined) {
    return schema;
  }
  const pointer = schema.$ref.replace(/^#/, '');
  // The schema may be a document of its own, or have been put into one.
  const target = (valueAt(root as Json, pointer) ?? valueAt(document, pointer)) as Schema | undefined;
  if (target === undefined) {
    throw new Error(`The schema refers to ${schema.$ref}, which is not in it.`);
  }
  const { $ref: _, ...said } = schema;
  return { ...resolved(target, root, document), ...said };
}

/** How a value of this schema is typed; of several forms the first that has fields, else the richest. */
export function kindOf(schema: Schema, root: Schema, document: Json): Kind {
  const forms = (schema.anyOf ?? [schema]).map((form) => resolved(form, root, document));
  const object = forms.find((form) => form.properties !== undefined);
  if (object !== undefined) {
    return { is: 'fields', properties: object.properties! };
  }
  const list = forms.find((form) => form.type === 'array');
  if (list !== undefined) {
    return listKind(list.items === undefined ? {} : resolved(list.items, root, document));
  }
  const text = forms.find((form) => form.type === 'string');
  if (text !== undefined && forms.length > 1) {
    return { is: 'text', orNumber: true, ...copied(text, ['maxLength']) };
  }
  return plainKind(forms[0] ?? {});
}

function listKind(items: Schema): Kind {
  if (items.enum !== undefined) {
    return { is: 'choices', options: items.enum.map(String) };
  }
  if (items.type === 'string' || isNumber(items)) {
    return { is: 'list', numbers: isNumber(items) };
  }
  return { is: 'json' };
}

function plainKind(schema: Schema): Kind {
  if (schema.enum !== undefined) {
    return { is: 'choice', options: schema.enum.map(String) };
  }
  if (schema.type === 'boolean') {
    return { is: 'yes-no' };
  }
  if (isNumber(schema)) {
    return { is: 'number', whole: schema.type === 'integer', ...copied(schema, ['minimum', 'maximum']) };
  }
  if (schema.type === 'string') {
    return { is: 'text', orNumber: false, ...copied(schema, ['maxLength', 'pattern']) };
  }
  const values = schema.additionalProperties;
  return typeof values === 'object' && values.type === 'string' ? { is: 'pairs' } : { is: 'json' };
}

function isNumber(schema: Schema): boolean {
  return schema.type === 'number' || schema.type === 'integer';
}

function copied<K extends keyof Schema>(schema: Schema, keys: K[]): Pick<Schema, K> {
  return Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]])) as Pick<Schema, K>;
}
