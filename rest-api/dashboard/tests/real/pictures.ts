import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { desk, looks, settled, startBrowser, type Look } from '../browser/browser.ts';
import { dashboard } from '../mock/folders.ts';
import { startService, type RealService } from './service.ts';
import { fill, stepsBehind, submit, visit } from './steps.ts';

/** The pictures of the documentation, of jobs that are trained for them, into target/real. */

/** What whole trainings take on slow processors. */
const minutes = 900_000;

const folder = join(dashboard, 'target/real');
mkdirSync(folder, { recursive: true });
const service = await startService();
const browser = await startBrowser();

/** Sends the form with these values. */
async function send(page: Page, name: string, values: Record<string, string>): Promise<string> {
  await page.goto(`${service.address}#/jobs`);
  await page.goto(`${service.address}#/submit`);
  await settled(page);
  for (const [pointer, value] of Object.entries(values)) {
    await fill(page, pointer, value);
  }
  return submit(page, name);
}

/** Jobs of every kind; the last one trains while the pictures are taken. */
async function jobs(page: Page): Promise<Record<string, string>> {
  const lenet = { '/network/name': 'lenet5', '/training/epochs': '6', '/training/batchSize': '32', '/training/evaluation/everyEpochs': '1' };
  await send(page, 'LeNet-5, FP32', { ...lenet, '/precision/level': 'O0', '/labels': 'sweep=precision' });
  const done = await send(page, 'LeNet-5, FP16', { ...lenet, '/precision/half': 'fp16', '/labels': 'sweep=precision' });
  await send(page, 'LeNet-5, BF16', { ...lenet, '/precision/half': 'bf16', '/labels': 'sweep=precision' });
  const failed = await send(page, 'Learning rate too high', { '/network/name': 'mlp', '/precision/level': 'O0', '/training/epochs': '2', '/training/batchSize': '4000', '/training/optimizer/learningRate': '1e30' });
  await page.locator('.status .state-failed').waitFor({ timeout: minutes }); // behind the three that train
  const comparison = await compared(page);
  const running = await send(page, 'ResNet-20, all of it', { '/network/name': 'resnet20', '/precision/half': 'fp16', '/training/epochs': '20' });
  await stepsBehind(page, 40);
  await send(page, 'LSTM, next', { '/network/name': 'lstm', '/priority': '5' });
  const finished = `#/jobs/${done}`;
  return {
    jobs: '#/',
    job: finished,
    running: `#/jobs/${running}`,
    failed: `#/jobs/${failed}`,
    plan: `#/jobs/${running}/plan`,
    logs: `${finished}/logs`,
    artifacts: `${finished}/artifacts`,
    history: `${finished}/history`,
    specification: `${finished}/specification`,
    submit: `#/submit?from=${running}`,
    compare: comparison,
    docs: 'docs',
  };
}

async function compared(page: Page): Promise<string> {
  await page.goto(`${service.address}#/submit`);
  await settled(page);
  for (const [pointer, value] of Object.entries({ '/name': 'MLP at two levels', '/network/name': 'mlp', '/training/epochs': '5', '/training/batchSize': '64', '/training/evaluation/everyEpochs': '1' })) {
    await fill(page, pointer, value);
  }
  await page.getByText('Compare levels').click();
  await page.getByLabel('O0', { exact: true }).check();
  await page.getByLabel('O2', { exact: true }).check();
  await settled(page);
  await page.getByRole('button', { name: /^Submit comparison/ }).click();
  await page.locator('tbody .state-succeeded').nth(1).waitFor({ timeout: minutes });
  await page.getByText('1 of 1').nth(1).waitFor();
  return new URL(page.url()).hash;
}

const { page } = await visit(browser, service.address, desk);
const pages = await jobs(page);
for (const look of looks) {
  for (const [name, hash] of Object.entries(pages)) {
    await picture(service, look, name, hash);
  }
}
await browser.close();
await service.end();

async function picture({ address }: RealService, look: Look, name: string, hash: string): Promise<void> {
  const phone = look.width < 500;
  const { page } = await visit(browser, address + hash, { ...look, height: phone ? 1300 : 900 });
  await settled(page);
  const file = `dashboard-${name}${look.scheme === 'dark' ? '-dark' : ''}${phone ? '-phone' : ''}.png`;
  await page.screenshot({ path: join(folder, file), fullPage: !phone && !['submit', 'docs'].includes(name) });
  await page.context().close();
}
