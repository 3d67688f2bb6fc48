import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { looks, open, settled, startBrowser } from './browser.ts';
import { pages } from './pages.ts';
import { dashboard } from '../mock/folders.ts';
import { startServer } from '../mock/server.ts';

/** Pictures of every page as it looks on a desk and on a phone, light and dark, into target/pictures. */
const folder = join(dashboard, 'target/pictures');
mkdirSync(folder, { recursive: true });
const server = await startServer(10_000);
const browser = await startBrowser();
const wanted = process.argv.slice(2);
for (const look of looks) {
  for (const [name, hash] of Object.entries(pages)) {
    if (wanted.length === 0 || wanted.includes(name)) {
      const { page } = await open(browser, server.address + hash, look);
      await settled(page);
      await page.screenshot({ path: join(folder, `${name}-${look.scheme}-${look.width}.png`), fullPage: look.width < 500 || name === 'plan' });
      await page.context().close();
    }
  }
}
await browser.close();
server.close();
