import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Level, Plan } from '../../src/api/types.ts';
import { dashboard } from './folders.ts';

const read = (name: string) => JSON.parse(readFileSync(join(dashboard, 'tests/mock/plans', `${name}.json`), 'utf8')) as Plan;
const plans: Record<string, Plan> = { resnet20: read('resnet20'), vit: read('vit') };

/** What halfcell explain --json printed for O2, with the dtypes of the level in their place. */
export function fakePlan(network: string, level: Level, half: string): Plan {
  const plan = plans[network] ?? plans['resnet20']!;
  const dtype = (told: string) => (told === 'fp32' || level === 'O0' ? 'fp32' : half);
  return {
    ...plan,
    level,
    half,
    cells: plan.cells.map((cell) => ({
      ...cell,
      parameters: cell.parameters === null ? null : dtype(cell.parameters),
      compute: dtype(cell.compute),
      output: dtype(cell.output),
      reason: cell.reason.replace('O2', level),
    })),
    totals: level === 'O0' ? { ...plan.totals, cells_in_half: 0, casts_to_half: 0, casts_to_fp32: 0, bytes_saved: 0 } : plan.totals,
  };
}
