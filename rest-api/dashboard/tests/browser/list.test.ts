import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { attack, idOf } from '../mock/jobs.ts';
import { startServer, type MockServer } from '../mock/server.ts';
import { desk, open, settled, startBrowser } from './browser.ts';

let server: MockServer;
let browser: Browser;
before(async () => {
  server = await startServer(10_000);
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  server.close();
});

// How soon they are shown is timed where nothing else runs, and over the real service: ./test-real --many.
test('10,000 jobs are shown page by page', async () => {
  const { page } = await open(browser, server.address, desk);
  await page.locator('tbody tr').nth(49).waitFor();
  assert.equal(await page.locator('tbody tr').count(), 50);
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByText('sweep 51', { exact: false }).waitFor();
  assert.equal(await page.getByText('Page 2').count(), 1);
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.getByText('ViT baseline').waitFor();
  await page.context().close();
});

test('filters are kept in the address, and what is like none says so', async () => {
  const { page } = await open(browser, server.address, desk);
  await settled(page);
  await page.getByRole('button', { name: 'Failed' }).click();
  await page.locator('tbody .state-failed').nth(49).waitFor();
  assert.equal(await page.locator('tbody .state:not(.state-failed)').count(), 0);
  await page.getByLabel('Network').selectOption('mlp');
  assert.match(page.url(), /state=FAILED&network=mlp/);
  await page.reload();
  await page.locator('tbody tr').first().waitFor();
  assert.equal(await page.getByLabel('Network').inputValue(), 'mlp');
  assert.equal(await page.getByRole('button', { name: 'Failed' }).getAttribute('aria-pressed'), 'true');
  await page.goto(`${server.address}#/?state=PAUSED&network=mlp`);
  await page.getByText('No job is like this.').waitFor();
  await page.context().close();
});

test('rows move by themselves and keep the focus', async () => {
  const { page } = await open(browser, server.address, desk);
  await settled(page);
  await page.getByRole('link', { name: 'ViT baseline' }).focus();
  const before = await page.locator('progress').first().getAttribute('value');
  server.service.advance(idOf(0), 200);
  await page.getByText('step 2,123 of 4,690').waitFor();
  assert.notEqual(await page.locator('progress').first().getAttribute('value'), before);
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'ViT baseline');
  await page.context().close();
});

test('a name that would like to be markup is text', async () => {
  const { page, wrongs } = await open(browser, server.address, desk);
  await settled(page);
  assert.equal(await page.locator('.job-name').nth(10).textContent(), attack);
  for (const tab of ['curves', 'logs', 'history', 'specification']) {
    await page.goto(`${server.address}#/jobs/${idOf(10)}/${tab}`);
    await settled(page);
    assert.equal(await page.locator('h1').textContent(), attack);
    assert.deepEqual(await wrongs(), []);
  }
  await page.context().close();
});

test('jobs that are ticked are compared', async () => {
  const { page } = await open(browser, server.address, desk);
  await settled(page);
  await page.getByLabel('Choose ResNet-20, FP32 for a comparison').check();
  await page.getByLabel('Choose ResNet-20, BF16 for a comparison').check();
  await page.getByRole('link', { name: 'Compare', exact: true }).last().click();
  await page.getByRole('region', { name: 'Jobs that are compared' }).waitFor();
  assert.equal(await page.locator('tbody tr').count(), 2);
  assert.equal(await page.locator('tbody').getByText('93.31 %').count(), 1);
  await page.locator('.chart').first().locator('.chart-area path.line.tone-2').waitFor();
  await page.context().close();
});

test('a server that does not answer is said so, and the list comes back with it', async () => {
  const { page } = await open(browser, server.address, desk);
  await settled(page);
  await page.route('**/v1/jobs?*', (route) => route.abort());
  await page.getByRole('alert').getByText('The server does not answer.').waitFor();
  assert.equal(await page.locator('tbody tr').count(), 50);
  await page.unroute('**/v1/jobs?*');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.context().close();
});
