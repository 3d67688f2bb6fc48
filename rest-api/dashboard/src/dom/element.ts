/** Attributes; a function is a listener, `true` an attribute without a value, the rest is text. */
export type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

/** What can be inside an element; text stays text whatever is in it. */
export type Child = Node | string | number | null | undefined | false | Child[];

/** An element of HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function drawing<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** Puts these in the place of all children. */
export function refill<T extends Element>(parent: T, ...children: Child[]): T {
  parent.replaceChildren(...nodesOf(children));
  return parent;
}

function filled<T extends Element>(made: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      made.addEventListener(name, value);
    } else if (value === true) {
      made.setAttribute(name, '');
    } else if (value !== undefined && value !== false) {
      made.setAttribute(name, String(value));
    }
  }
  made.append(...nodesOf(children));
  return made;
}

function nodesOf(children: Child[]): (Node | string)[] {
  return children.flatMap((child): (Node | string)[] => {
    if (child === null || child === undefined || child === false) {
      return [];
    }
    if (Array.isArray(child)) {
      return nodesOf(child);
    }
    return [typeof child === 'number' ? String(child) : child];
  });
}
