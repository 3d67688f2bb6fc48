import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { open, settled, type Look, type Opened } from '../browser/browser.ts';
import { until } from './service.ts';

/** What people see and do on the pages of real jobs. */

/** Workers take their time where many programs share two slow processors. */
const patience = 60_000;

/** Opens a page of a real service. */
export async function visit(browser: Browser, address: string, look: Look): Promise<Opened> {
  const opened = await open(browser, address, look);
  opened.page.setDefaultTimeout(patience);
  return opened;
}

/** The job whose page this is. */
export function idOf(page: Page): string {
  const id = /#\/jobs\/([0-9a-f]{32})/.exec(page.url())?.[1];
  assert.ok(id !== undefined, page.url());
  return id;
}

export async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Of this job' }).getByRole('link', { name, exact: true }).click();
  await settled(page);
}

/** Waits until the page, by itself, says that the job is in that state. */
export async function state(page: Page, name: string): Promise<void> {
  await page.locator(`.status .state-${name.toLowerCase()}`).waitFor();
}

/** The step that the head of a job's page tells; 0 where none is told yet. */
export async function stepOf(page: Page): Promise<number> {
  const told = (await page.locator('.job-progress').textContent()) ?? '';
  return Number((/step ([\d,]+)/.exec(told)?.[1] ?? '0').replaceAll(',', ''));
}

/** Waits until more steps are told than that. */
export function stepsBehind(page: Page, step: number): Promise<number> {
  return until(() => stepOf(page), (now) => now > step, `the step behind ${step}`);
}

/** The figures above the curves, by their names. */
export async function tiles(page: Page): Promise<Record<string, string>> {
  const all = await page.locator('.tile').all();
  return Object.fromEntries(await Promise.all(all.map(async (tile) => [await text(tile.locator('dt')), await text(tile.locator('b'))])));
}

async function text(part: Locator): Promise<string> {
  return (await part.textContent()) ?? '';
}

/** How many points the longest line of a chart has. */
export async function pointsOf(page: Page, title: string): Promise<number> {
  const lines = await page.locator('.chart').filter({ has: page.getByRole('heading', { name: title }) }).locator('.chart-area path.line').all();
  const lengths = await Promise.all(lines.map(async (line) => ((await line.getAttribute('d')) ?? '').split(/[ML]/).length - 1));
  return Math.max(0, ...lengths);
}

/** Types over what stands in a field, which may be folded away. */
export async function fill(page: Page, pointer: string, value: string): Promise<void> {
  const field = page.locator(`#field${pointer.replaceAll('/', '-')}`);
  await field.evaluate((node: Element) => {
    for (let folded = node.closest('details:not([open])'); folded !== null; folded = node.closest('details:not([open])')) {
      folded.setAttribute('open', '');
    }
  });
  if ((await field.evaluate((node: Element) => node.tagName)) === 'SELECT') {
    await field.selectOption(value);
  } else {
    await field.fill(value);
  }
}

/** Sends the form and waits for the page of the new job. */
export async function submit(page: Page, name: string): Promise<string> {
  await fill(page, '/name', name);
  await settled(page);
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
  return idOf(page);
}

export async function cancel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel job' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
  await state(page, 'CANCELLED');
}
