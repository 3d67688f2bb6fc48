import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { axeFinds } from '../browser/axe.ts';
import { desk, settled, startBrowser } from '../browser/browser.ts';
import { startService, type RealService } from './service.ts';
import { fill, idOf, state, stepsBehind, submit, tab, visit } from './steps.ts';

const token = 'open-sesame-0123456789';
const reader = 'look-but-touch-not-456';

let service: RealService;
let browser: Browser;
before(async () => {
  service = await startService({ tokens: `ann read,submit ${token}\nbob read ${reader}\n`, token });
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await service.end();
});

test('a token is typed once, stays in the tab, goes nowhere but into a header, and everything works with it', async () => {
  const { page, wrongs } = await visit(browser, service.address, desk);
  const asked: string[] = [];
  const withoutToken: string[] = [];
  page.on('request', (request) => {
    asked.push(`${request.url()} ${request.postData() ?? ''}`);
    if (request.url().includes('/v1/') && request.headers()['authorization'] !== `Bearer ${token}`) {
      withoutToken.push(request.url());
    }
  });
  await page.getByLabel('Token').fill('not-a-token-of-this-server');
  await page.keyboard.press('Enter');
  await page.getByText('No jobs yet.').waitFor({ state: 'detached' });
  assert.deepEqual(await axeFinds(page), []);
  await page.getByLabel('Token').fill(token);
  withoutToken.length = 0;
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No jobs yet.').waitFor();
  await page.getByRole('link', { name: 'Submit a job' }).click();
  await settled(page);
  await fill(page, '/training/epochs', '2');
  const id = await submit(page, 'With a token');
  await stepsBehind(page, await stepsBehind(page, 0));
  await page.reload();
  await state(page, 'SUCCEEDED');
  assert.equal(idOf(page), id);
  await page.getByText('by ann').waitFor();
  await tab(page, 'Artifacts');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download model.safetensors' }).click();
  assert.ok(statSync(await (await saved).path()).size > 100_000);

  assert.deepEqual(withoutToken, []);
  assert.deepEqual(asked.filter((request) => request.includes(token)), [], 'in an address or a body');
  assert.deepEqual(await page.context().cookies(), []);
  assert.deepEqual(await page.evaluate('[localStorage.length, Object.values(sessionStorage)]'), [0, [token]]);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByLabel('Token').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});

test('who may only read is told so', async () => {
  const { page, wrongs } = await visit(browser, `${service.address}#/submit`, desk);
  await page.getByLabel('Token').fill(reader);
  await page.keyboard.press('Enter');
  await settled(page);
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.getByRole('alert').first().waitFor();
  assert.match((await page.getByRole('alert').first().textContent()) ?? '', /submit/);
  assert.deepEqual(await service.jobs().then((jobs) => jobs.length), 1);
  assert.deepEqual(await wrongs(), []);
  await page.context().close();
});
