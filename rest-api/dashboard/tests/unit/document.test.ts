import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../src/api/types.ts';
import { openApiDocument } from '../mock/document.ts';
import { attack, idOf } from '../mock/jobs.ts';
import { startServer, type MockServer } from '../mock/server.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openApiDocument(), 'openapi.json');

let server: MockServer;
before(async () => void (server = await startServer(60)));
after(() => server.close());

async function assertAnswer(schema: string, path: string, body?: JsonObject): Promise<void> {
  const answer: unknown = await (await fetch(server.address + path, body ? { method: 'POST', body: JSON.stringify(body) } : {})).json();
  const valid = ajv.validate({ $ref: `openapi.json#/components/schemas/${schema}` }, answer);
  assert.ok(valid, `${path} is no ${schema}: ${ajv.errorsText(ajv.errors)}`);
}

test('the fakes answer as openapi.yaml says, so that what is tested on them is tested on the service', async () => {
  await assertAnswer('JobPage', 'v1/jobs?limit=50');
  for (let index = 0; index < 12; index++) {
    await assertAnswer('Job', `v1/jobs/${idOf(index)}`);
  }
  const job = `v1/jobs/${idOf(1)}`;
  await assertAnswer('Metrics', `${job}/metrics`);
  await assertAnswer('Metrics', `${job}/metrics?points=800`);
  await assertAnswer('Plan', `${job}/plan`);
  await assertAnswer('Artifacts', `${job}/artifacts`);
  await assertAnswer('Comparison', `v1/comparisons/${'c'.repeat(32)}`);
  await assertAnswer('Networks', 'v1/networks');
  await assertAnswer('Datasets', 'v1/datasets');
  await assertAnswer('Devices', 'v1/devices');
  await assertAnswer('Levels', 'v1/levels');
  const specification = { name: attack, network: { name: 'resnet20' }, precision: { level: 'O2' } };
  await assertAnswer('DryRun', 'v1/jobs?dryRun=true', specification);
  await assertAnswer('Job', 'v1/jobs', specification);
  await assertAnswer('Problem', 'v1/jobs', { network: { name: 'nothing' } });
  await assertAnswer('Problem', 'v1/jobs/none');
});

test('events of the fakes are events of openapi.yaml', () => {
  const events = server.service.eventsOf(server.service.jobs.get(idOf(0))!);
  for (const event of events) {
    assert.ok(ajv.validate({ $ref: 'openapi.json#/components/schemas/Event' }, event), ajv.errorsText(ajv.errors));
  }
});
