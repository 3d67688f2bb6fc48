import type { Place } from '../router.ts';

/** What is shown at an address. */
export interface Page {
  title: string;
  element: HTMLElement;
  /** Goes to a place within itself; false where another page has to be made. */
  moved?(place: Place): boolean;
}

/** Makes a page; everything it has begun ends with the signal, when the reader goes elsewhere. */
export type MakePage = (place: Place, signal: AbortSignal) => Page;
