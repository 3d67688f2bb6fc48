import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startServer, type MockServer } from '../mock/server.ts';
import { idOf } from '../mock/jobs.ts';
import { desk, open, settled, startBrowser, tabTo } from './browser.ts';

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

test('a job is submitted by keys alone', async () => {
  const { page, wrongs } = await open(browser, `${server.address}#/submit`, desk);
  await settled(page);
  await tabTo(page, '#field-name');
  await page.keyboard.type('By keys');
  await tabTo(page, '#field-network-name');
  await page.keyboard.type('resnet20');
  await tabTo(page, '#field-training-epochs');
  await page.keyboard.type('3');
  await tabTo(page, 'button[type=submit]');
  await settled(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'By keys' }).waitFor();
  const job = [...server.service.jobs.values()].at(-1)!;
  assert.deepEqual(job.specification, { name: 'By keys', network: { name: 'resnet20' }, precision: { level: 'O2' }, training: { epochs: 3 } });
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

test('plan, memory and defaults are shown before anything is queued', async () => {
  const { page } = await open(browser, `${server.address}#/submit`, desk);
  await settled(page);
  const jobs = server.service.jobs.size;
  await page.getByLabel('Level', { exact: true }).selectOption('O0');
  await page.getByRole('img', { name: '0 of 64 cells compute in half' }).first().waitFor();
  assert.equal(await page.getByText('439 MiB').count(), 1);
  assert.equal(await page.locator('#field-training-batchSize').getAttribute('placeholder'), '128');
  assert.equal(await page.locator('#field-precision-half option').first().textContent(), 'Default: fp16');
  assert.equal(server.service.jobs.size, jobs);
  await page.context().close();
});

test('what is opened of the preview stays open and keeps the focus when the preview comes anew', async () => {
  const { page, wrongs } = await open(browser, `${server.address}#/submit`, desk);
  await settled(page);
  const here = () => page.evaluate('document.activeElement.textContent');
  const sent = page.getByLabel('Specification');
  const changeEpochs = async (epochs: number) => {
    await page.evaluate(`(() => {
      const field = document.querySelector('#field-training-epochs');
      field.value = ${epochs};
      field.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await sent.filter({ hasText: `"epochs": ${epochs}` }).waitFor({ state: 'attached' });
  };
  const cells = page.locator('.preview summary', { hasText: 'Precision of every cell' });
  await cells.focus();
  await page.keyboard.press('Enter');
  await changeEpochs(3);
  assert.equal(await here(), 'Precision of every cell');
  assert.ok(await page.locator('.preview .plan').isVisible());
  const jobs = server.service.jobs.size;
  await page.getByRole('button', { name: 'Open all' }).click();
  await changeEpochs(4);
  assert.equal(await here(), 'Precision of every cell');
  assert.ok(await page.locator('.preview .plan').isVisible());
  assert.equal(server.service.jobs.size, jobs, 'looking at the plan submits nothing');
  await page.evaluate(`(() => {
    const field = document.querySelector('#field-training-schedule');
    field.value = 'wrong';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await cells.waitFor({ state: 'hidden' });
  assert.equal(await here(), 'Preview');
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

test('a mistake is told at its field', async () => {
  const { page } = await open(browser, `${server.address}#/submit`, desk);
  await settled(page);
  await page.locator('#field-training-schedule').fill('wrong');
  await page.locator('#field-training-schedule[aria-invalid=true]').waitFor();
  assert.match((await page.locator('#field-training-schedule-fault').textContent()) ?? '', /no schedule “wrong”.*cosine/);
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.locator('#field-training-schedule[aria-invalid=true]').waitFor();
  assert.equal(await page.evaluate('document.activeElement.id'), 'field-training-schedule');
  await page.locator('#field-training-schedule').fill('cosine');
  await settled(page);
  assert.equal(await page.locator('[aria-invalid]').count(), 0);
  await page.context().close();
});

test('a network can be written as a list of cells', async () => {
  const { page } = await open(browser, `${server.address}#/submit`, desk);
  await settled(page);
  await page.getByRole('button', { name: 'Write as JSON' }).click();
  await page.getByLabel('Network as JSON').fill('[{"cell": "Flatten"}]');
  await settled(page);
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.getByRole('heading', { name: 'cells' }).waitFor();
  assert.deepEqual([...server.service.jobs.values()].at(-1)!.specification['network'], [{ cell: 'Flatten' }]);
  await page.context().close();
});

test('a clone starts from what the job was', async () => {
  const { page } = await open(browser, `${server.address}#/jobs/${idOf(2)}`, desk);
  await settled(page);
  await page.getByRole('link', { name: 'Clone' }).click();
  await settled(page);
  assert.equal(await page.locator('#field-name').inputValue(), 'ResNet-20, BF16');
  assert.equal(await page.locator('#field-precision-half').inputValue(), 'bf16');
  assert.equal(await page.locator('#field-labels').inputValue(), 'sweep=precision');
  await page.context().close();
});

test('several levels are submitted as a comparison', async () => {
  const { page } = await open(browser, `${server.address}#/submit`, desk);
  await settled(page);
  await page.getByText('Compare levels').click();
  await page.getByLabel('O0', { exact: true }).check();
  await page.getByLabel('O2', { exact: true }).check();
  await page.getByRole('button', { name: 'Submit comparison of O0, O2' }).click();
  await page.getByRole('heading', { name: 'Means of each level' }).waitFor();
  await page.context().close();
});

test('a job that is sent again after a broken connection is the same job', async () => {
  const { page } = await open(browser, `${server.address}#/submit`, desk);
  await settled(page);
  const keys: (string | undefined)[] = [];
  await page.route('**/v1/jobs', (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length === 1 ? route.abort() : route.continue();
  });
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.getByRole('alert').getByText('The server does not answer.').waitFor();
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.getByRole('heading', { name: 'lenet5' }).waitFor();
  assert.equal(keys.length, 2);
  assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/);
  assert.equal(keys[0], keys[1]);
  await page.context().close();
});
