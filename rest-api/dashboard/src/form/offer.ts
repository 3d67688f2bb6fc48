import { getJson } from '../api/client.ts';
import type { Dataset, Devices, Json, JsonObject, LevelDescription, Network } from '../api/types.ts';
import { valueAt } from '../part/json.ts';
import type { Option } from './field.ts';
import type { Schema } from './schema.ts';

export interface Offer {
  document: Json;
  schema: Schema;
  offered: Record<string, Option[]>;
  firstNetwork: string;
  levels: LevelDescription[];
}

/** What this server takes: the schema of specifications, and the names that there are. */
export async function loadOffer(signal: AbortSignal): Promise<Offer> {
  const [document, { networks }, { datasets }, { devices }, { levels }] = await Promise.all([
    getJson<JsonObject>('openapi.json', signal),
    getJson<{ networks: Network[] }>('v1/networks', signal),
    getJson<{ datasets: Dataset[] }>('v1/datasets', signal),
    getJson<Devices>('v1/devices', signal),
    getJson<{ levels: LevelDescription[] }>('v1/levels', signal),
  ]);
  const schema = valueAt(document, '/components/schemas/JobSpecification') as Schema | undefined;
  if (schema?.properties === undefined) {
    throw new Error('The server’s openapi.json does not say what a specification is.');
  }
  return {
    document,
    schema,
    offered: {
      '/network/name': networks.map(({ name, summary }) => ({ value: name, text: `${name} – ${summary}` })),
      '/dataset/name': datasets.map(({ name, summary }) => ({ value: name, text: `${name} – ${summary}` })),
      '/device': [{ value: 'auto', text: 'auto' }, ...devices.map(({ name }) => ({ value: name, text: name }))],
      '/precision/level': levels.map(({ name, summary }) => ({ value: name, text: `${name} – ${summary}` })),
    },
    firstNetwork: networks[0]?.name ?? '',
    levels,
  };
}
