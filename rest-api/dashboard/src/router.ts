/** Where the reader is: the path behind the number sign, and what follows its question mark. */
export interface Place {
  parts: string[];
  query: URLSearchParams;
}

/** Reads an address such as #/jobs/ID/logs?x=y. */
export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  return { parts: parts.map(decoded), query: new URLSearchParams(query) };
}

/** Somebody may have typed half of an escape. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Goes to an address, as a link would. */
export function go(hash: string): void {
  location.hash = hash;
}

/** Changes the address without going anywhere: filters are kept over a reload. */
export function rewrite(hash: string): void {
  history.replaceState(null, '', hash);
}
