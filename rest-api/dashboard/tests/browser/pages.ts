import { idOf } from '../mock/jobs.ts';

/** Every page in every condition that it can be in, by the name of its picture. */
export const pages: Record<string, string> = {
  jobs: '#/',
  empty: '#/?state=FAILED&network=resnet50',
  running: `#/jobs/${idOf(0)}`,
  queued: `#/jobs/${idOf(4)}`,
  failed: `#/jobs/${idOf(9)}`,
  attacker: `#/jobs/${idOf(10)}`,
  plan: `#/jobs/${idOf(0)}/plan`,
  logs: `#/jobs/${idOf(0)}/logs`,
  artifacts: `#/jobs/${idOf(1)}/artifacts`,
  history: `#/jobs/${idOf(7)}/history`,
  specification: `#/jobs/${idOf(0)}/specification`,
  submit: '#/submit',
  clone: `#/submit?from=${idOf(2)}`,
  compare: `#/compare?jobs=${idOf(0)},${idOf(1)},${idOf(2)},${idOf(9)}`,
  comparison: `#/comparisons/${'c'.repeat(32)}`,
  choose: '#/compare',
  missing: '#/nowhere',
  gone: `#/jobs/${'f'.repeat(32)}`,
};
