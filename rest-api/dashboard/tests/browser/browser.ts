import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

export interface Look {
  scheme: 'light' | 'dark';
  width: number;
  height?: number;
}

export const desk: Look = { scheme: 'light', width: 1280 };
export const looks: Look[] = [desk, { ...desk, scheme: 'dark' }, { scheme: 'light', width: 360 }, { scheme: 'dark', width: 360 }];

/** The system's Chromium; CHROMIUM names another. */
export async function startBrowser(): Promise<Browser> {
  const places = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = places.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined) {
    throw new Error('No Chromium: install the package chromium, or name the program in CHROMIUM.');
  }
  // Root in a container has no user namespaces for the sandbox.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}

export interface Opened {
  page: Page;
  /** What must not be: breaches of the policy, errors, requests to elsewhere, attacker's code that ran. */
  wrongs(): Promise<string[]>;
}

export async function open(browser: Browser, address: string, look: Look): Promise<Opened> {
  const context = await browser.newContext({ colorScheme: look.scheme, viewport: { width: look.width, height: look.height ?? 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The browser tells of answers that are refusals in this way too; the pages tell people of them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      found.push(`console: ${message.text()}`);
    }
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(address).origin) && !request.url().startsWith('blob:')) {
      found.push(`request to ${request.url()}`);
    }
  });
  await page.addInitScript(`globalThis.breaches = []; addEventListener('securitypolicyviolation', (event) => breaches.push(event.violatedDirective + ' ' + event.blockedURI));`);
  await page.goto(address);
  return {
    page,
    async wrongs() {
      const breaches = (await page.evaluate('globalThis.breaches')) as string[];
      const attacked = await page.evaluate('globalThis.attacked !== undefined || document.querySelector("main img, main script") !== null');
      return [...found, ...breaches.map((breach) => `policy: ${breach}`), ...(attacked ? ['attacker text became markup'] : [])];
    },
  };
}

/** Waits until nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.locator('.loading, [aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(120);
}

/** Presses Tab until that element has the focus, which has to be seen on the way. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab');
    const seen = (await page.evaluate(`(() => {
      const at = document.activeElement;
      const look = getComputedStyle(at);
      return { here: at.matches(${JSON.stringify(selector)}), outlined: look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) >= 2, name: at.outerHTML.slice(0, 80) };
    })()`)) as { here: boolean; outlined: boolean; name: string };
    assert.ok(seen.outlined, `the focus cannot be seen on ${seen.name}`);
    if (seen.here) {
      return;
    }
  }
  assert.fail(`Tab never comes to ${selector}`);
}
