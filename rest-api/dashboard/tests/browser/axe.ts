import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };

/** What is folded away has to be usable too. */
export const unfold = 'document.querySelectorAll("details").forEach((each) => (each.open = true))';

/** What not everybody can use on the page as it is now, a line for each rule that it breaks. */
export async function axeFinds(page: Page): Promise<string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) {
    await page.evaluate(axe);
  }
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(rules)})`)) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`);
}

/** By how many pixels the page is wider than the screen. */
export async function tooWide(page: Page): Promise<number> {
  return Math.max(0, Number(await page.evaluate('document.scrollingElement.scrollWidth - innerWidth')));
}
