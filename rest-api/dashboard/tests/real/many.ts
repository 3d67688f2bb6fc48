import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { desk, settled, startBrowser } from '../browser/browser.ts';
import { startService } from './service.ts';
import { fill, state, submit, visit } from './steps.ts';

/** How soon the pages answer over a store of many jobs: `node many.js FOLDER JOBS`. Times are those of the browser's own clock, until what was asked for is painted. */

const [data, jobs] = [process.argv[2]!, Number(process.argv[3])];
const most = 2000;

const service = await startService({ data });
const browser = await startBrowser();
// An address of the service, so that its requests are known as its own, at which no page lies.
const { page, wrongs } = await visit(browser, `${service.address}healthz`, desk);

/** Waits in the page until a condition holds and was painted; the time since the page began to load, or since the last press where `since` says so. */
function painted(since: 'load' | 'press', condition: string): string {
  return `new Promise((done) => {
    const from = () => ${since === 'load' ? '0' : 'globalThis.pressed'};
    const look = () => {
      if (from() !== undefined && (${condition})) {
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - from())));
      }
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    look();
  })`;
}

async function timed(what: string, act: (page: Page) => Promise<unknown>, condition: string): Promise<void> {
  await page.evaluate(`globalThis.pressed = undefined; for (const kind of ['click', 'change']) addEventListener(kind, (event) => (globalThis.pressed ??= event.timeStamp), { capture: true });`);
  const answer = page.evaluate(painted('press', condition));
  await act(page);
  tell(what, Number(await answer));
}

const slow: string[] = [];
function tell(what: string, milliseconds: number): void {
  console.log(`${what}: ${milliseconds.toFixed(0)} ms`);
  if (milliseconds > most) {
    slow.push(what);
  }
}

const rows = 'document.querySelectorAll("tbody tr").length';
await page.addInitScript(`globalThis.listed = ${painted('load', `${rows} === 50`)}`);
for (const time of ['first', 'second', 'third']) {
  await page.goto('about:blank');
  await page.goto(service.address);
  tell(`the list of ${jobs} jobs, ${time} time`, Number(await page.evaluate('globalThis.listed')));
}
const newest = await page.locator('tbody .job-name').first().textContent();
await timed('the next page', () => page.getByRole('button', { name: 'Older' }).click(), `document.querySelector(".pager").textContent.includes("Page 2") && document.querySelector("tbody .job-name").textContent !== ${JSON.stringify(newest)}`);
await timed('the page after it', () => page.getByRole('button', { name: 'Older' }).click(), 'document.querySelector(".pager").textContent.includes("Page 3")');
const all = (state: string) => `${rows} === 50 && document.querySelectorAll("tbody .state-${state}").length === 50`;
await timed('those that failed', () => page.getByRole('button', { name: 'Failed' }).click(), all('failed'));
await timed('those that were cancelled, of a network', async () => {
  await page.getByRole('button', { name: 'Cancelled' }).click();
  await page.locator('#filter-network').selectOption('lstm');
}, `${all('cancelled')} && [...document.querySelectorAll("tbody .under span:first-child")].every((each) => each.textContent !== "mlp")`);
await timed('those with a label', () => page.locator('#filter-label').fill('sweep=17').then(() => page.keyboard.press('Enter')), `${rows} > 0 && [...document.querySelectorAll("tbody .label")].every((each) => each.textContent === "sweep=17")`);
await timed('the oldest first', () => page.locator('#filter-sort').selectOption('oldest'), `${rows} > 0`);
await page.goto(service.address);
await settled(page);
await timed('the page of a job of long ago', () => page.locator('tbody .job-name').first().click(), 'document.querySelectorAll(".tile").length === 6');

await page.goto(`${service.address}#/submit`);
await settled(page);
await fill(page, '/training/epochs', '1');
await submit(page, 'Trained here');
await state(page, 'SUCCEEDED');
await page.goto(service.address);
await settled(page);
await timed('the page of a job with its curves', () => page.getByRole('link', { name: 'Trained here' }).click(), 'document.querySelectorAll(".chart-area path.line").length >= 4 && document.querySelectorAll(".tile").length === 6');
assert.deepEqual(await wrongs(), []);
await browser.close();
await service.end();
assert.deepEqual(slow, [], `answers within ${most} ms`);
