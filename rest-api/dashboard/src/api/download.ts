import { element } from '../dom/element.ts';
import { request } from './client.ts';
import { storedToken } from './token.ts';

/**
 * Saves what lies at a path as a file. A link cannot send a token, so with one the file is fetched
 * first; without one the browser does it all, however large the file.
 */
export async function download(path: string, name: string, accept: string): Promise<void> {
  if (storedToken() === null && accept === '*/*') {
    click(path, name);
    return;
  }
  const response = await request(path, { headers: { Accept: accept } });
  const url = URL.createObjectURL(await response.blob());
  click(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function click(href: string, name: string): void {
  const link = element('a', { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}
