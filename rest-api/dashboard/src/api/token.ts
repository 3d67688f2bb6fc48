import { element } from '../dom/element.ts';
import { openDialog } from '../dom/dialog.ts';

const key = 'halfcell.token';

/** Has a `change` when a token was typed or forgotten. */
export const tokenChanges = new EventTarget();

/** The token that was typed, or nothing: a server on loopback asks for none. */
export function storedToken(): string | null {
  return sessionStorage.getItem(key);
}

export function forgetToken(): void {
  sessionStorage.removeItem(key);
  tokenChanges.dispatchEvent(new Event('change'));
}

let asking: Promise<void> | undefined;

/** Asks for the token once, however many requests were refused; never ends without one. */
export function askForToken(message: string): Promise<void> {
  asking ??= ask(message).finally(() => {
    asking = undefined;
  });
  return asking;
}

async function ask(message: string): Promise<void> {
  const input = element('input', {
    type: 'password',
    name: 'token',
    id: 'token',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'token-hint',
  });
  await openDialog({
    title: 'Sign in',
    closable: false,
    confirm: 'Continue',
    body: [
      element('p', {}, message),
      element('label', { for: 'token' }, 'Token'),
      input,
      element(
        'p',
        { class: 'hint', id: 'token-hint' },
        'A line of the server’s token file. It is kept until this tab is closed, and sent to this server only.',
      ),
    ],
  });
  sessionStorage.setItem(key, input.value.trim());
  tokenChanges.dispatchEvent(new Event('change'));
}
