import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/api/types.ts';
import { repository, resources } from './folders.ts';

/** openapi.json as the service sends it: the document with the schema of specifications put in. */
export function openApiDocument(): JsonObject {
  const document = parse(readFileSync(join(resources, 'http/openapi.yaml'), 'utf8')) as JsonObject;
  const text = readFileSync(join(repository, 'docs/specification.schema.json'), 'utf8');
  const { $schema: _, $defs, ...schema } = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonObject;
  const schemas = (document['components'] as JsonObject)['schemas'] as JsonObject;
  Object.assign(schemas, $defs, { JobSpecification: schema });
  return document;
}
