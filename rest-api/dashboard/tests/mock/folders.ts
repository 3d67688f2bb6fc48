import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The dashboard's own folder; this runs from target/tests/tests/mock. */
export const dashboard = join(dirname(fileURLToPath(import.meta.url)), '../../../..');
export const resources = join(dashboard, '../src/main/resources/dev/halfcell/rest');
export const repository = join(dashboard, '../..');
