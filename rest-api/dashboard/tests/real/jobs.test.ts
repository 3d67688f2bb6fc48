import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Download, Page } from 'playwright-core';
import { axeFinds, tooWide, unfold } from '../browser/axe.ts';
import { desk, settled, startBrowser, tabTo, type Look } from '../browser/browser.ts';
import { startService, until, type RealService } from './service.ts';
import { cancel, fill, idOf, pointsOf, state, stepOf, stepsBehind, submit, tab, tiles, visit } from './steps.ts';

/** One service on real workers; each test goes on from what the tests before it have left there. */
let service: RealService;
let browser: Browser;
before(async () => {
  service = await startService();
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await service.end();
});

const phone: Look = { scheme: 'dark', width: 360 };

/** The hashes of what there is to be looked at by all, as it comes to be. */
const seen: Record<string, string> = { empty: '#/', submit: '#/submit', choose: '#/compare' };

test('a job is seen before it is sent, is sent by keys alone, and seen live to its end', async (t) => {
  const { page, wrongs } = await visit(browser, service.address, desk);
  await page.getByText('No jobs yet.').waitFor();
  await tabTo(page, 'a.primary[href="#/submit"]');
  await page.keyboard.press('Enter');
  await settled(page);
  await tabTo(page, '#field-name');
  await page.keyboard.type('By keys');
  await tabTo(page, '#field-network-name');
  await page.keyboard.type('lenet5');
  await tabTo(page, '#field-precision-half');
  await page.keyboard.type('fp16');
  await tabTo(page, '#field-training-epochs');
  await page.keyboard.type('2');
  await tabTo(page, '#field-training-batchSize');
  await page.keyboard.type('16');
  await settled(page);
  const preview = page.getByRole('region', { name: 'Preview' });
  assert.match((await preview.textContent()) ?? '', /lenet5.* steps: 2 epochs of [\d,]+, 16 samples each.*MiB of .* that a job may hold/s);
  await preview.getByRole('img', { name: /^[1-9]\d* of \d+ cells compute in half$/ }).first().waitFor();
  assert.deepEqual(await service.jobs(), [], 'nothing is queued by looking');
  await tabTo(page, 'button[type=submit]');
  const sent = performance.now();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'By keys' }).waitFor();

  const first = await stepsBehind(page, 0);
  t.diagnostic(`from the key to the first step on the page: ${((performance.now() - sent) / 1000).toFixed(1)} s`);
  await state(page, 'RUNNING');
  const shown = Number(await page.locator('.job-progress progress').getAttribute('value'));
  await stepsBehind(page, first);
  assert.ok(Number(await page.locator('.job-progress progress').getAttribute('value')) > shown, 'the bar moves');
  await looksAlive(page);
  await tab(page, 'Logs');
  await page.getByRole('log').getByText(/\S/).first().waitFor();
  await state(page, 'SUCCEEDED');
  await tab(page, 'Curves');
  await until(() => tiles(page), (now) => now['Test accuracy'] !== '–', 'the accuracy');
  assert.deepEqual(Object.entries(await tiles(page)).filter(([, value]) => !/\d/.test(value)), [], 'tiles without a figure');
  await until(() => pointsOf(page, 'Test accuracy'), (points) => points === 1, 'points of the accuracy');
  await planIsColoured(page);
  seen['finished'] = `#/jobs/${idOf(page)}`;
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

/** While it trains, and without anybody's doing: curves have points and tiles have figures. */
async function looksAlive(page: Page): Promise<void> {
  for (const title of ['Loss', 'Loss scale', 'Throughput, samples per second']) {
    await until(() => pointsOf(page, title), (points) => points > 20, `points of ${title}`);
  }
  await until(() => tiles(page), (now) => ['Training loss', 'Loss scale', 'Throughput', 'Memory'].every((name) => /\d/.test(now[name] ?? '')), 'tiles');
}

async function planIsColoured(page: Page): Promise<void> {
  await tab(page, 'Precision plan');
  const colour = async (dtype: string) => String(await page.locator(`.plan-tree .dtype.${dtype}`).first().evaluate((node: Element) => getComputedStyle(node).backgroundColor));
  assert.notEqual(await colour('fp16'), await colour('fp32'));
  const reasons = await page.locator('.plan-reason').allTextContents();
  assert.ok(reasons.filter((reason) => reason.trim() !== '').length > 3, reasons.join());
}

test('every artifact is downloaded whole', async () => {
  const { page, wrongs } = await visit(browser, `${service.address}${seen['finished']}/artifacts`, desk);
  await settled(page);
  const names = await page.getByRole('button', { name: /^Download .*\./ }).allTextContents();
  assert.ok(names.includes('model.safetensors') && names.includes('metrics.jsonl'), names.join());
  for (const name of names) {
    const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: `Download ${name}`, exact: true }) });
    const saved = await downloaded(page, `Download ${name}`);
    assert.equal(saved.suggestedFilename(), name);
    assert.equal(createHash('sha256').update(readFileSync(await saved.path())).digest('hex'), await row.locator('.digest').getAttribute('title'), name);
  }
  await tab(page, 'Logs');
  assert.notEqual(readFileSync(await (await downloaded(page, 'Download all')).path(), 'utf8'), '');
  await tab(page, 'Curves');
  const lines = readFileSync(await (await downloaded(page, 'Download as CSV')).path(), 'utf8').trim().split(/\r?\n/);
  assert.equal(lines.length, 1 + 1000);
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

async function downloaded(page: Page, button: string): Promise<Download> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  return saved;
}

test('a job is cloned, waits, goes on, is cancelled, and goes on as another', async () => {
  const { page, wrongs } = await visit(browser, `${service.address}${seen['finished']}`, desk);
  await settled(page);
  await page.getByRole('link', { name: 'Clone' }).click();
  await settled(page);
  assert.equal(await page.locator('#field-training-batchSize').inputValue(), '16');
  assert.equal(await page.locator('#field-precision-half').inputValue(), 'fp16');
  await fill(page, '/training/epochs', '500');
  const long = await submit(page, 'A clone');
  await stepsBehind(page, 0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await state(page, 'PAUSED');
  const paused = await stepOf(page);
  seen['paused'] = `#/jobs/${long}`;
  await page.getByRole('button', { name: 'Resume' }).click();
  await stepsBehind(page, paused);
  await cancel(page);
  assert.equal((await service.job(long)).state, 'CANCELLED');
  const cancelled = await stepOf(page);
  await page.getByRole('button', { name: 'Resume as a new job' }).click();
  await page.getByText('goes on from').waitFor();
  const other = idOf(page);
  assert.notEqual(other, long);
  await until(() => stepOf(page), (step) => step > cancelled, `a step behind ${cancelled}`);
  const origin = (await service.job(other)).resumedFrom;
  assert.ok(origin?.job === long && origin.step > 0, JSON.stringify(origin));
  await cancel(page);
  seen['resumed'] = `#/jobs/${other}`;
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

test('a job that fails says why', async () => {
  const { page, wrongs } = await visit(browser, `${service.address}#/submit`, desk);
  await settled(page);
  await fill(page, '/network/name', 'mlp');
  await fill(page, '/precision/level', 'O0');
  await fill(page, '/training/epochs', '2');
  await fill(page, '/training/batchSize', '4000');
  await fill(page, '/training/optimizer/learningRate', '1e30');
  seen['failed'] = `#/jobs/${await submit(page, 'Too fast')}`;
  await state(page, 'FAILED');
  await page.getByText('Failed: non-finite').waitFor();
  await page.getByText('Lower training.optimizer.learningRate').first().waitFor();
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

test('two levels are compared', async () => {
  const { page, wrongs } = await visit(browser, `${service.address}#/submit`, desk);
  await settled(page);
  await fill(page, '/network/name', 'lenet5');
  await fill(page, '/name', 'Levels');
  await fill(page, '/training/epochs', '1');
  await fill(page, '/training/batchSize', '32');
  await page.getByText('Compare levels').click();
  await page.getByLabel('O0', { exact: true }).check();
  await page.getByLabel('O2', { exact: true }).check();
  await settled(page);
  await page.getByRole('button', { name: 'Submit comparison of O0, O2' }).click();
  const rows = page.getByRole('region', { name: 'Jobs that are compared' }).locator('tbody tr');
  const means = page.getByRole('region', { name: 'Means of each level' }).locator('tbody tr');
  await until(() => rows.locator('.state-succeeded').count(), (count) => count === 2, 'jobs that have succeeded');
  await until(() => means.allTextContents(), (texts) => texts.length === 2 && texts.every((text) => text.includes('1 of 1')), 'means');
  for (const row of [...(await rows.all()), ...(await means.all())]) {
    const cells = await row.locator('td.number').allTextContents();
    assert.deepEqual(cells.filter((cell) => !/\d/.test(cell)), [], cells.join(' | '));
  }
  for (const title of ['Training loss', 'Loss scale', 'Throughput, samples per second']) {
    assert.ok((await pointsOf(page, title)) > 20, title);
  }
  seen['comparison'] = new URL(page.url()).hash;
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

test('a job is submitted on a phone', async () => {
  const { page, wrongs } = await visit(browser, `${service.address}#/submit`, phone);
  await settled(page);
  await fill(page, '/training/steps', '20');
  await submit(page, 'From a phone');
  await state(page, 'SUCCEEDED');
  await until(() => pointsOf(page, 'Loss'), (points) => points > 10, 'points of the loss');
  assert.equal(await tooWide(page), 0);
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

test('every page of the service can be used by everybody, light on a desk and dark on a phone', async () => {
  for (const look of [desk, phone]) {
    const { page, wrongs } = await visit(browser, service.address, look);
    const tabs = ['plan', 'logs', 'artifacts', 'history', 'specification'].map((name) => [name, `${seen['finished']}/${name}`]);
    for (const [name, hash] of [...Object.entries(seen), ...tabs, ['documentation', 'docs']] as [string, string][]) {
      await page.goto(service.address + hash);
      await settled(page);
      await page.evaluate(unfold);
      const where = `${name}, ${look.scheme}, ${look.width} px`;
      assert.deepEqual(await axeFinds(page), [], where);
      assert.equal(await tooWide(page), 0, `${where}: wider than the screen`);
      assert.deepEqual(await wrongs(), [], where);
    }
    await page.context().close();
  }
});
