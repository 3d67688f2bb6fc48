import { element, type Child } from './element.ts';

export interface Question {
  title: string;
  body: Child[];
  confirm: string;
  danger?: boolean;
  /** Whether it can be left without an answer; true unless told otherwise. */
  closable?: boolean;
}

/** Shows a dialog; true where it was confirmed. The browser keeps the focus inside and gives it back. */
export function openDialog(question: Question): Promise<boolean> {
  const closable = question.closable ?? true;
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', { id: 'dialog-title' }, question.title),
    question.body,
    element(
      'div',
      { class: 'dialog-buttons' },
      closable && element('button', { value: 'no', formnovalidate: true }, 'Keep as it is'),
      element('button', { value: 'yes', class: question.danger ? 'danger' : 'primary' }, question.confirm),
    ),
  );
  const dialog = element('dialog', { 'aria-labelledby': 'dialog-title' }, form);
  if (!closable) {
    dialog.addEventListener('cancel', (event) => event.preventDefault());
  }
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (!closable && dialog.returnValue !== 'yes') {
        resolve(openDialog(question));
      } else {
        resolve(dialog.returnValue === 'yes');
      }
    });
  });
}
