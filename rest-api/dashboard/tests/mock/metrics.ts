import type { Job, Metrics } from '../../src/api/types.ts';
import { accuracyAt, lossAt } from './jobs.ts';
import { randomNumbers } from './random.ts';

/** Curves as a training has them, up to the job's step, in at most so many points. */
export function fakeMetrics(job: Job, points: number, from = 1, to = Infinity): Metrics {
  const reached = Math.min(to, job.progress?.step ?? 0);
  const asked = Math.max(0, reached - from + 1);
  const steps = Math.min(points, asked);
  const random = randomNumbers(Number.parseInt(job.id.slice(0, 4), 16));
  const stepMilliseconds = 128_000 / (job.metrics['samplesPerSecond'] ?? 1280);
  const metrics: Metrics = {
    sampled: steps < asked,
    totalPoints: asked,
    steps: [],
    overflows: [],
    series: { loss: series(), scale: series(), lr: series(), step_ms: series(), data_wait_ms: series() },
    epochs: [],
  };
  let scale = job.level === 'O0' ? 1 : 65536;
  for (let index = 0; index < steps; index++) {
    const step = steps === 1 ? from : Math.round(from + (index * (asked - 1)) / (steps - 1));
    const overflow = job.level !== 'O0' && index > 0 && index % Math.ceil(points / 7) === 40 % Math.ceil(points / 7);
    if (overflow) {
      scale /= 2;
    } else if (job.level !== 'O0' && index > 0 && index % Math.ceil(points / 5) === 0) {
      scale *= 4;
    }
    const loss = lossAt(step);
    const noise = 0.35 * loss * (random() - 0.5);
    metrics.steps.push(step);
    metrics.overflows.push(overflow ? 1 : 0);
    add(metrics, 'loss', overflow ? null : loss + noise, 0.2 * loss);
    add(metrics, 'scale', scale, 0);
    add(metrics, 'lr', step < 2345 ? 0.1 : 0.01, 0);
    add(metrics, 'step_ms', step === 1 ? stepMilliseconds * 4 : stepMilliseconds * (1 + 0.1 * random()), 3);
    add(metrics, 'data_wait_ms', 0.1 * random(), 0);
  }
  for (let epoch = 1; epoch * 469 <= reached; epoch++) {
    const gap = 0.28 * Math.exp(-epoch / 2) + (epoch > 5 ? 0 : 0.02 * random());
    metrics.epochs.push({ epoch, step: epoch * 469, values: { train_loss: 0.09 + gap, test_loss: 0.196 + gap * 1.4, test_accuracy: accuracyAt(epoch) + (random() - 0.5) * 0.008 } });
  }
  return metrics;
}

function series() {
  return { last: [] as (number | null)[], min: [] as (number | null)[], max: [] as (number | null)[] };
}

function add(metrics: Metrics, name: string, value: number | null, spread: number): void {
  const { last, min, max } = metrics.series[name]!;
  last.push(value);
  min.push(value === null ? null : Math.max(0, value - spread));
  max.push(value === null ? null : value + spread);
}
