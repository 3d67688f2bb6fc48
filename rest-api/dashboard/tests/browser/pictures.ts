import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { looks, open, settled, startBrowser } from './browser.ts';
import { pages } from './pages.ts';
import { dashboard } from '../mock/folders.ts';
import { startServer } from '../mock/server.ts';

/** Pictures of every page as it looks on a desk and on a phone, light and dark, into target/pictures; of those named alone, where any are. */
const folder = join(dashboard, 'target/pictures');
mkdirSync(folder, { recursive: true });
const server = await startServer(10_000);
const browser = await startBrowser();
const wanted = process.argv.slice(2);
for (const look of looks) {
  for (const [name, hash] of Object.entries(pages)) {
    if (wanted.length === 0 || wanted.includes(name)) {
      const phone = look.width < 500;
      const { page } = await open(browser, server.address + hash, { ...look, height: phone ? 1300 : 900 });
      await settled(page);
      const file = `dashboard-${name}${look.scheme === 'dark' ? '-dark' : ''}${phone ? '-phone' : ''}.png`;
      await page.screenshot({ path: join(folder, file), fullPage: !phone && !['jobs', 'submit', 'clone'].includes(name) });
      await page.context().close();
    }
  }
}
await browser.close();
server.close();
