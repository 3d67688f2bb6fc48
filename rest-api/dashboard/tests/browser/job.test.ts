import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { attack, idOf } from '../mock/jobs.ts';
import { startServer, type MockServer } from '../mock/server.ts';
import { asked, breaking } from '../mock/streams.ts';
import { desk, open, settled, startBrowser } from './browser.ts';

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

const running = idOf(0);

test('progress comes with the events, and a stream that breaks off is taken up behind the last one', async () => {
  const { page } = await open(browser, `${server.address}#/jobs/${running}`, desk);
  await settled(page);
  server.service.advance(running, 100);
  await page.getByText('step 2,023 of 4,690').waitFor();
  breaking.add(running);
  server.service.advance(running, 100);
  await page.getByText('step 2,123 of 4,690').waitFor();
  await page.waitForTimeout(900);
  // The last event may have been lost with the connection: it comes again then.
  const last = server.service.events.get(running)!.length;
  const streams = asked.filter(({ job }) => job === running).map((each) => each.last);
  assert.ok(streams.length === 2 && streams[1]! >= last - 1, `streams began behind ${streams.join()} of ${last}`);
  server.service.advance(running, 100);
  await page.getByText('step 2,223 of 4,690').waitFor();
  await page.context().close();
});

test('curves have a line, overflows marks, and the arrow keys read values', async () => {
  const { page } = await open(browser, `${server.address}#/jobs/${running}`, desk);
  await settled(page);
  const scale = page.locator('.chart').nth(2);
  assert.ok((await scale.locator('path.mark').count()) > 3);
  const loss = page.getByRole('img', { name: /^Loss: Training/ });
  await loss.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.match((await page.locator('.chart').first().locator('.legend').textContent()) ?? '', /Training 0\.\d+.*step 2,\d+/);
  await page.context().close();
});

test('a range of steps is looked at closely', async () => {
  const { page } = await open(browser, `${server.address}#/jobs/${idOf(1)}`, desk);
  await page.getByText('4,690 steps; a point stands for several').waitFor();
  await page.getByLabel('Steps from').fill('1000');
  await page.getByLabel('to', { exact: true }).fill('1200');
  await page.keyboard.press('Enter');
  await page.getByText('201 steps.').waitFor();
  const ticks = await page.locator('.chart').first().locator('.tick[text-anchor=middle]').allTextContents();
  assert.deepEqual([ticks[0], ticks.at(-1)], ['1,000', '1,200']);
  await page.context().close();
});

test('the log follows what is printed, as text', async () => {
  const { page, wrongs } = await open(browser, `${server.address}#/jobs/${running}/logs`, desk);
  const log = page.getByRole('log');
  await log.getByText('loss').first().waitFor();
  server.service.print(server.service.jobs.get(running)!, `one more ${attack}\n`);
  await page.getByText('one more <img').waitFor();
  const below = await log.evaluate((node: Element) => node.scrollHeight - node.clientHeight - node.scrollTop);
  assert.ok(below < 8, `${below} px below the end`);
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

test('the plan is a tree that opens by key, with reasons', async () => {
  const { page } = await open(browser, `${server.address}#/jobs/${running}/plan`, desk);
  await settled(page);
  const block = page.locator('summary').filter({ hasText: 'block1' }).first();
  await block.focus();
  await page.keyboard.press('Enter');
  await page.locator('summary').filter({ hasText: 'branch' }).first().press('Enter');
  await page.getByText('BatchNorm2d needs fp32').nth(1).waitFor();
  assert.ok((await page.locator('.plan-tree .dtype.fp16').count()) > 5);
  await page.context().close();
});

test('the history keeps what happened, however many steps came behind it', async () => {
  const { page } = await open(browser, `${server.address}#/jobs/${idOf(7)}/history`, desk);
  await settled(page);
  const events = page.getByRole('list').filter({ hasText: 'Its worker trains.' });
  for (let steps = 0; steps < 250; steps++) {
    server.service.advance(idOf(7), 1);
  }
  server.service.tell(server.service.jobs.get(idOf(7))!, 'checkpoint', { step: 3205, name: 'step-3205' });
  await events.getByText('step-3205').waitFor();
  assert.equal(await events.getByRole('listitem').count(), 9);
  await page.context().close();
});

test('cancelling asks first, Escape keeps the job, and the state follows', async () => {
  const { page } = await open(browser, `${server.address}#/jobs/${running}`, desk);
  await settled(page);
  await page.getByRole('button', { name: 'Cancel job' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(server.service.jobs.get(running)!.state, 'RUNNING');
  await page.getByRole('button', { name: 'Cancel job' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
  await page.locator('.status .state-cancelling').waitFor();
  server.service.move(server.service.jobs.get(running)!, 'CANCELLED', 'CANCELLED_BY_REQUEST', 'Cancelled by request.');
  await page.locator('.status .state-cancelled').waitFor();
  await page.getByRole('button', { name: 'Resume as a new job' }).waitFor();
  await page.context().close();
});

test('what the server refuses is told at once', async () => {
  const { page } = await open(browser, `${server.address}#/jobs/${idOf(9)}`, desk);
  await settled(page);
  await page.getByRole('button', { name: 'Resume as a new job' }).click();
  await page.getByRole('alert').getByText('no checkpoint to go on from').waitFor();
  await page.context().close();
});

test('a job is deleted only after a question, and the list comes then', async () => {
  const { page } = await open(browser, `${server.address}#/jobs/${idOf(2)}`, desk);
  await settled(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete job' }).click();
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  assert.equal(server.service.jobs.has(idOf(2)), false);
  await page.context().close();
});

test('a token is typed once, kept for the tab alone, and sent with everything', async () => {
  const locked = await startServer(60, 0, 'secret-token');
  const { page, wrongs } = await open(browser, `${locked.address}#/jobs/${idOf(1)}/artifacts`, desk);
  await page.getByText('This server asks for a token.').waitFor();
  await page.getByLabel('Token').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('This server does not know that token.').waitFor();
  await page.getByLabel('Token').fill('secret-token');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('model.safetensors').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.reload();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download model.safetensors' }).click();
  assert.equal((await saved).suggestedFilename(), 'model.safetensors');
  assert.doesNotMatch(page.url(), /secret/);
  assert.deepEqual(await page.context().cookies(), []);
  assert.equal(await page.evaluate('localStorage.length'), 0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
  locked.close();
});

test('a refusal that comes late does not forget the token that was typed meanwhile', async () => {
  const locked = await startServer(1, 0, 'secret-token');
  const page = await browser.newPage();
  let letGo = () => {};
  const typed = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/v1/levels', async (route) => {
    const refusal = await route.fetch();
    await typed;
    await route.fulfill({ response: refusal });
  }, { times: 1 });
  await page.goto(`${locked.address}#/submit`);
  await page.getByLabel('Token').fill('secret-token');
  const others = page.waitForResponse((answer) => answer.ok() && answer.url().endsWith('/v1/networks'));
  await page.keyboard.press('Enter');
  await others;
  letGo();
  await page.getByRole('button', { name: 'Submit job' }).waitFor();
  assert.equal(await page.getByLabel('Token').count(), 0);
  await page.close();
  locked.close();
});
