import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../src/api/types.ts';
import { repository, resources } from './folders.ts';

const place = '/components/schemas/JobSpecification';

/** openapi.json as the service sends it: the document with the schema of specifications put in. */
export function openApiDocument(): JsonObject {
  const document = parse(readFileSync(join(resources, 'http/openapi.yaml'), 'utf8')) as JsonObject;
  const schema = JSON.parse(readFileSync(join(repository, 'docs/specification.schema.json'), 'utf8'), atPlace) as JsonObject;
  delete schema['$schema'];
  const components = document['components'] as JsonObject;
  (components['schemas'] as JsonObject)['JobSpecification'] = schema;
  return document;
}

function atPlace(key: string, value: Json): Json {
  return key === '$ref' && typeof value === 'string' ? value.replace('#/', `#${place}/`) : value;
}
