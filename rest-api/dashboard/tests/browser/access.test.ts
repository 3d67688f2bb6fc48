import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startServer, type MockServer } from '../mock/server.ts';
import { axeFinds, tooWide, unfold } from './axe.ts';
import { looks, open, settled, startBrowser } from './browser.ts';
import { pages } from './pages.ts';

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
    for (const [name, hash] of Object.entries(pages)) {
      await page.goto(server.address + hash);
      await settled(page);
      await page.evaluate(unfold);
      assert.deepEqual(await axeFinds(page), [], name);
      assert.equal(await tooWide(page), 0, `${name} is wider than the screen`);
      assert.deepEqual(await wrongs(), [], name);
    }
    await page.context().close();
  });

  test(`the question for a token can be answered by everybody, ${look.scheme}, ${look.width} px wide`, async () => {
    const locked = await startServer(1, 0, 'secret-token');
    const { page, wrongs } = await open(browser, locked.address, look);
    await page.getByLabel('Token').waitFor();
    assert.deepEqual(await axeFinds(page), []);
    assert.equal(await tooWide(page), 0);
    assert.deepEqual(await wrongs(), []);
    await page.context().close();
    locked.close();
  });
}
