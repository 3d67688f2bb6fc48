import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startServer, type MockServer } from '../mock/server.ts';
import { looks, open, settled, startBrowser } from './browser.ts';
import { pages } from './pages.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };

let server: MockServer;
let browser: Browser;
before(async () => {
  server = await startServer(60);
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  server.close();
});

for (const look of looks) {
  test(`every page can be used by everybody, ${look.scheme}, ${look.width} px wide`, async () => {
    const { page, wrongs } = await open(browser, server.address, look);
    await page.evaluate(axe);
    for (const [name, hash] of Object.entries(pages)) {
      await page.goto(server.address + hash);
      await settled(page);
      await openGroups(name);
      const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(rules)})`)) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`), [], name);
      const wide = await page.evaluate('document.scrollingElement.scrollWidth - innerWidth');
      assert.ok(Number(wide) <= 0, `${name} is ${String(wide)} px wider than the screen`);
      assert.deepEqual(await wrongs(), [], name);
    }
    await page.context().close();

    /** What is folded away has to be usable too. */
    async function openGroups(name: string): Promise<void> {
      if (['plan', 'submit', 'failed'].includes(name)) {
        await page.evaluate('document.querySelectorAll("details").forEach((each) => (each.open = true))');
      }
    }
  });
}
