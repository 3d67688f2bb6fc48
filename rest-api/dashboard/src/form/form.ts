import { element, refill } from '../dom/element.ts';
import type { Json, JsonObject } from '../api/types.ts';
import { words } from '../format.ts';
import { below, valueAt } from '../part/json.ts';
import { jsonField, plainField, type Field, type Option } from './field.ts';
import { kindOf, resolved, type Schema } from './schema.ts';

export interface FormStart {
  /** The document that the schema lies in, for its references. */
  document: Json;
  schema: Schema;
  /** What can be chosen at a pointer, where the server knows more than the schema. */
  offered: Record<string, Option[]>;
  /** The groups that are open from the start, by pointer. */
  open: string[];
}

/** A form for a value of a schema. */
export interface SchemaForm extends Field {
  value(): JsonObject | undefined;
  /** Shows these faults, and none of before, at the fields that they are about. */
  faults(faults: Fault[]): void;
  /** Goes to the first field that is at fault. */
  focusFault(): void;
}

export interface Fault {
  pointer: string;
  message: string;
}

/** Builds the fields of a schema; values that stand loose behind its groups are a group at the end. */
export function schemaForm(start: FormStart): SchemaForm {
  const kind = kindOf(start.schema, start.schema, start.document);
  const fields = kind.is === 'fields' ? Object.entries(kind.properties).map(([key, schema]) => fieldFor(start, '', key, schema)) : [];
  const groups = fields.filter((field) => field.element instanceof HTMLDetailsElement);
  const first = fields.slice(0, fields.indexOf(groups[0]!));
  const loose = fields.slice(first.length).filter((field) => !groups.includes(field));
  const root = element(
    'div',
    { class: 'schema-form' },
    element('div', { class: 'card group' }, element('div', { class: 'fields' }, first.map((field) => field.element))),
    groups.map((field) => field.element),
    groupOf('More', 'Logs, device, queue.', false, element('div', { class: 'fields' }, loose.map((field) => field.element))),
  );
  const whole = joined('', root, fields);
  return {
    ...whole,
    faults(faults) {
      root.querySelectorAll<HTMLElement>('.fault').forEach((fault) => (fault.hidden = true));
      root.querySelectorAll('[aria-invalid]').forEach((field) => field.removeAttribute('aria-invalid'));
      faults.forEach(({ pointer, message }) => whole.fault(pointer, message));
    },
    focusFault: () => root.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
  };
}

/** A value with fields is a group that opens; all else is one field. */
function fieldFor(start: FormStart, parent: string, key: string, unresolved: Schema): Field {
  const pointer = below(parent, key);
  const schema = resolved(unresolved, start.schema, start.document);
  const kind = kindOf(schema, start.schema, start.document);
  const description = schema.description ?? '';
  if (kind.is !== 'fields') {
    return plainField(pointer, key, kind, description, start.offered[pointer]);
  }
  const fields = Object.entries(kind.properties).map(([name, property]) => fieldFor(start, pointer, name, property));
  const isList = (form: Schema) => resolved(form, start.schema, start.document).type === 'array';
  return groupField(pointer, key, description, fields, start.open.includes(pointer), (schema.anyOf ?? []).some(isList));
}

/** A group of fields, in whose place JSON can be typed. */
function groupField(pointer: string, key: string, description: string, fields: Field[], open: boolean, offersJson: boolean): Field {
  const body = element('div', { class: 'fields' }, fields.map((field) => field.element));
  const asFields = joined(pointer, body, fields);
  let json: Field | undefined;
  const toggle = element('button', { type: 'button', class: 'quiet', hidden: !offersJson, click: () => (json === undefined ? writeJson(asFields.value()) : writeFields()) });
  const details = groupOf(words(key), description, open, body, toggle);
  writeFields();

  function writeFields(): void {
    json = undefined;
    toggle.textContent = 'Write as JSON';
    refill(body, fields.map((field) => field.element));
  }
  function writeJson(value: Json | undefined): void {
    json = jsonField(pointer, key, value);
    toggle.hidden = false;
    toggle.textContent = 'Back to fields';
    refill(body, json.element);
  }
  return {
    pointer,
    element: details,
    value: () => (json ?? asFields).value(),
    set(value) {
      if (value !== undefined && (value === null || typeof value !== 'object' || Array.isArray(value))) {
        writeJson(value);
      } else {
        writeFields();
        asFields.set(value);
      }
      details.open ||= value !== undefined;
    },
    suggest: (value) => asFields.suggest(value),
    fault(at, message) {
      details.open = true;
      (json ?? asFields).fault(at, message);
    },
    focus() {
      details.open = true;
      (json ?? asFields).focus();
    },
  };
}

function groupOf(title: string, description: string, open: boolean, ...children: HTMLElement[]): HTMLDetailsElement {
  return element(
    'details',
    { class: 'card group', open },
    element('summary', {}, element('span', { class: 'group-title' }, title), element('span', { class: 'hint' }, description)),
    children,
  );
}

/** Several fields as one that is an object. */
function joined(pointer: string, root: HTMLElement, fields: Field[]): Field & { value(): JsonObject | undefined } {
  const fault = element('p', { class: 'fault', hidden: true });
  root.append(fault);
  const keyOf = (field: Field) => field.pointer.slice(pointer.length);
  return {
    pointer,
    element: root,
    value() {
      const entries = fields.map((field) => [keyOf(field).slice(1), typed(field)] as const).filter(([, value]) => value !== undefined);
      return entries.length === 0 ? undefined : (Object.fromEntries(entries) as JsonObject);
    },
    set: (value) => fields.forEach((field) => field.set(valueAt(value, keyOf(field)))),
    suggest: (value) => fields.forEach((field) => field.suggest(valueAt(value, keyOf(field)))),
    fault(at, message) {
      const inner = fields.find((field) => at === field.pointer || at.startsWith(`${field.pointer}/`));
      if (inner !== undefined) {
        inner.fault(at, message);
      } else {
        root.append(fault);
        fault.hidden = false;
        fault.textContent = message;
      }
    },
    focus: () => fields[0]?.focus(),
  };
}

/** A field says itself what is wrong with what was typed. */
function typed(field: Field): Json | undefined {
  try {
    return field.value();
  } catch (error) {
    field.fault(field.pointer, error instanceof Error ? error.message : String(error));
    throw error;
  }
}
