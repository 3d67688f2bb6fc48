import { element, refill, type Child } from '../dom/element.ts';
import type { Json } from '../api/types.ts';
import { words } from '../format.ts';
import type { Kind } from './schema.ts';
import { parse, written } from './value.ts';

/** A place in a form that a value is typed into. */
export interface Field {
  pointer: string;
  element: HTMLElement;
  /** What was typed; throws where it is no such value. */
  value(): Json | undefined;
  set(value: Json | undefined): void;
  /** Shows what is taken where nothing is typed. */
  suggest(value: Json | undefined): void;
  /** Shows what is wrong with what lies at a pointer, which is its own or leads into it. */
  fault(pointer: string, message: string): void;
  focus(): void;
}

export interface Option {
  value: string;
  text: string;
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A field with its label, what it is for, and room for what is wrong with it. */
export function plainField(pointer: string, key: string, kind: Kind, description: string, offered?: Option[]): Field {
  if (kind.is === 'choices') {
    return manyField(pointer, key, kind.options, description);
  }
  const id = `field${pointer.replaceAll('/', '-')}`;
  const input = inputFor(kind, id, offered);
  const fault = element('p', { class: 'fault', id: `${id}-fault`, hidden: true });
  return {
    pointer,
    element: element(
      'div',
      { class: input instanceof HTMLTextAreaElement || offered !== undefined ? 'field field-wide' : 'field' },
      element('label', { for: id }, words(key)),
      input,
      element('p', { class: 'hint', id: `${id}-hint` }, withCode(description)),
      fault,
    ),
    value: () => parse(input.value, kind),
    set: (value) => void (input.value = written(value, kind)),
    suggest: (value) => suggest(input, written(value, kind)),
    fault: (_, message) => showFault(input, fault, message),
    focus: () => input.focus(),
  };
}

/** Descriptions have code between back quotes. */
function withCode(description: string): Child[] {
  return description.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));
}

function inputFor(kind: Kind, id: string, offered: Option[] | undefined): Input {
  const attributes = { id, 'aria-describedby': `${id}-hint ${id}-fault` };
  const options = offered ?? optionsOf(kind);
  if (options !== undefined) {
    return element('select', attributes, element('option', { value: '' }, 'Default'), options.map(({ value, text }) => element('option', { value }, text)));
  }
  if (kind.is === 'json') {
    return element('textarea', { ...attributes, rows: 3, spellcheck: 'false', class: 'code', placeholder: 'JSON' });
  }
  if (kind.is === 'number') {
    return element('input', { ...attributes, type: 'number', step: kind.whole ? 1 : 'any', min: kind.minimum, max: kind.maximum, inputmode: kind.whole ? 'numeric' : 'decimal' });
  }
  const placeholder = kind.is === 'pairs' ? 'key=value, …' : kind.is === 'list' ? 'one, another, …' : undefined;
  return element('input', { ...attributes, type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder, maxlength: kind.is === 'text' ? kind.maxLength : undefined });
}

function optionsOf(kind: Kind): Option[] | undefined {
  if (kind.is === 'choice') {
    return kind.options.map((value) => ({ value, text: value }));
  }
  return kind.is === 'yes-no' ? [{ value: 'true', text: 'Yes' }, { value: 'false', text: 'No' }] : undefined;
}

function suggest(input: Input, text: string): void {
  if (input instanceof HTMLSelectElement) {
    const named = [...input.options].find((option) => option.value === text && text !== '');
    input.options[0]!.text = text === '' ? 'Default' : `Default: ${named?.text ?? text}`;
  } else if (text !== '') {
    input.placeholder = text.replaceAll(/\s+/g, ' ');
  }
}

function showFault(control: HTMLElement, place: HTMLElement, message: string): void {
  place.hidden = false;
  place.textContent = message;
  control.setAttribute('aria-invalid', 'true');
}

/** Boxes of which any may be ticked. */
function manyField(pointer: string, key: string, options: string[], description: string): Field {
  const boxes = options.map((option) => element('input', { type: 'checkbox', value: option }));
  const fault = element('p', { class: 'fault', hidden: true });
  const group = element(
    'fieldset',
    { class: 'field' },
    element('legend', {}, words(key)),
    element('div', { class: 'boxes' }, boxes.map((box) => element('label', { class: 'check' }, box, box.value))),
    element('p', { class: 'hint' }, withCode(description)),
    fault,
  );
  return {
    pointer,
    element: group,
    value: () => {
      const ticked = boxes.filter((box) => box.checked).map((box) => box.value);
      return ticked.length > 0 ? ticked : undefined;
    },
    set: (value) => {
      const ticked = Array.isArray(value) ? value : [value];
      boxes.forEach((box) => (box.checked = ticked.includes(box.value)));
    },
    suggest: () => {},
    fault: (_, message) => showFault(group, fault, message),
    focus: () => boxes[0]?.focus(),
  };
}

/** A text of JSON in the place of fields, for forms of a value that fields cannot write. */
export function jsonField(pointer: string, key: string, start: Json | undefined): Field {
  const field = plainField(pointer, key, { is: 'json' }, 'As JSON, such as a list of cells.');
  refill(field.element.querySelector('label')!, `${words(key)} as JSON`);
  field.set(start);
  return field;
}
