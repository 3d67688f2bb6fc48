import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dashboard, resources } from '../mock/folders.ts';

const sources = readdirSync(join(dashboard, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

test('no source makes markup, code or style of text', () => {
  const sinks = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|\beval\(|new Function|\.style\b|cssText/;
  assert.ok(sources.length > 30);
  for (const name of sources) {
    assert.doesNotMatch(readFileSync(join(dashboard, 'src', name), 'utf8'), sinks, name);
  }
});

test('the page has no script or style of its own, and names no other host', () => {
  const page = readFileSync(join(resources, 'dashboard/index.html'), 'utf8');
  assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|style=|\son\w+=|https?:/);
});
