import type { Job, JobState, JsonObject, Level, StatusReason } from '../../src/api/types.ts';
import { randomNumbers } from './random.ts';

export const attack = `<img src=x onerror="globalThis.attacked=1"><script>globalThis.attacked=1</script>`;
export const now = Date.now();
export const totalSteps = 4690;

const reasons: Record<JobState, [string, string]> = {
  QUEUED: ['WAITING_FOR_WORKER', 'Place 3 in the queue; both workers are taken.'],
  STARTING: ['STARTING_WORKER', 'Its worker is being started.'],
  RUNNING: ['TRAINING', 'Its worker trains.'],
  PAUSED: ['PAUSED_BY_REQUEST', 'Paused by request at step 1,200.'],
  INTERRUPTED: ['WORKER_LOST', 'Its worker died; next try in 12 s.'],
  CANCELLING: ['CANCELLING', 'Its worker saves its state and ends.'],
  SUCCEEDED: ['COMPLETED', 'Trained to its end.'],
  FAILED: ['TRAINING_FAILED', 'The loss was not finite at step 812.'],
  CANCELLED: ['CANCELLED_BY_REQUEST', 'Cancelled by request.'],
};

/** How the loss of a training falls, and its accuracy grows. */
export function lossAt(step: number): number {
  return 2.2 * Math.exp(-step / 420) + (step < 2345 ? 0.16 : step < 3517 ? 0.11 : 0.085);
}

export function accuracyAt(epoch: number): number {
  return 0.933 - 0.17 * Math.exp(-epoch / 2);
}

interface Seed {
  state: JobState;
  level?: Level;
  half?: string;
  name?: string;
  network?: string;
  labels?: Record<string, string>;
  fraction?: number;
  minutes?: number;
  reason?: [string, string];
}

/** The jobs on the first page: every state, and names that would like to be markup. */
const leading: Seed[] = [
  { state: 'RUNNING', name: 'ResNet-20, FP16 with dynamic scale', level: 'O2', half: 'fp16', labels: { sweep: 'precision' }, fraction: 0.41, minutes: 4 },
  { state: 'SUCCEEDED', name: 'ResNet-20, FP32', level: 'O0', labels: { sweep: 'precision' }, minutes: 96 },
  { state: 'SUCCEEDED', name: 'ResNet-20, BF16', level: 'O2', half: 'bf16', labels: { sweep: 'precision' }, minutes: 88 },
  { state: 'QUEUED', name: 'ViT baseline', network: 'vit', minutes: 3 },
  { state: 'QUEUED', name: 'ResNet-50 at 224 px', network: 'resnet50', minutes: 6, reason: ['WAITING_FOR_MEMORY', 'Needs 11.2 GiB, 6.0 GiB are free.'] },
  { state: 'STARTING', name: 'MLP warm start', network: 'mlp', minutes: 1 },
  { state: 'PAUSED', name: 'LSTM long run', network: 'lstm', fraction: 0.26, minutes: 130 },
  { state: 'INTERRUPTED', network: 'resnet32', fraction: 0.63, minutes: 45 },
  { state: 'CANCELLING', network: 'lenet5', fraction: 0.52, minutes: 12 },
  { state: 'FAILED', name: 'LeNet-5, O3 without a loss scale', network: 'lenet5', level: 'O3', half: 'fp16', fraction: 812 / totalSteps, minutes: 64 },
  { state: 'CANCELLED', name: attack, network: 'lenet5', labels: { [`<b>key`]: attack }, fraction: 0.3, minutes: 70 },
  { state: 'SUCCEEDED', name: `A name without end: ${'precision-sweep-'.repeat(6)}`, network: 'resnet110', level: 'O1', half: 'bf16', minutes: 300 },
];

const networks = ['lenet5', 'mlp', 'resnet8', 'resnet20', 'lstm', 'vit'];

/** So many jobs, the newest first. */
export function fakeJobs(count: number): Job[] {
  const random = randomNumbers(7);
  return Array.from({ length: count }, (_, index) => fakeJob(index, leading[index] ?? olderSeed(index, random())));
}

function olderSeed(index: number, dice: number): Seed {
  const network = networks[index % networks.length]!;
  const state: JobState = dice < 0.8 ? 'SUCCEEDED' : dice < 0.9 ? 'FAILED' : 'CANCELLED';
  return { state, network, name: `${network} sweep ${index}`, level: index % 3 === 0 ? 'O0' : 'O2', half: index % 2 === 0 ? 'bf16' : 'fp16', minutes: 300 + index * 7, fraction: state === 'SUCCEEDED' ? 1 : dice };
}

export function idOf(index: number): string {
  return (index + 1).toString(16).padStart(4, '0').repeat(8);
}

function before(minutes: number): string {
  return new Date(now - minutes * 60_000).toISOString();
}

function fakeJob(index: number, seed: Seed): Job {
  const { state, level = 'O2', half = 'fp16', network = 'resnet20', minutes = 10, fraction = 1 } = seed;
  const begun = state !== 'QUEUED' && state !== 'STARTING';
  const over = ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(state);
  const [code, message] = seed.reason ?? reasons[state];
  const ended = over ? before(Math.max(1, minutes - 9)) : undefined;
  const specification: JsonObject = { network: { name: network }, precision: { level, half }, training: { epochs: 10 }, ...(seed.name ? { name: seed.name } : {}), labels: seed.labels ?? {} };
  const reason: StatusReason = { code, message, since: ended ?? before(Math.max(0.2, minutes - 1)) };
  return {
    id: idOf(index),
    owner: 'local',
    ...(seed.name ? { name: seed.name } : {}),
    labels: seed.labels ?? {},
    priority: 0,
    pinned: false,
    network,
    level,
    state,
    statusReason: reason,
    ...(begun ? { progress: progressOf(state, fraction) } : {}),
    metrics: begun ? { loss: lossAt(fraction * totalSteps), test_accuracy: accuracyAt(Math.max(1, Math.floor(fraction * 10))), lossScale: level === 'O0' ? 1 : 131_072, samplesPerSecond: half === 'bf16' ? 1256.1 : 950.3 } : {},
    attempt: begun ? 1 : 0,
    estimatedBytes: network === 'resnet50' ? 12_025_908_428 : 459_995_968,
    createdAt: before(minutes),
    ...(begun ? { startedAt: before(minutes - 0.5) } : {}),
    ...(ended ? { endedAt: ended } : {}),
    revision: 5,
    specification,
    resolved: resolvedOf(specification),
    attempts: begun ? attemptsOf(state, minutes, ended) : [],
    ...(state === 'FAILED' ? { exit: { code: 5, graceful: true }, failure: failure() } : {}),
  };
}

function progressOf(state: JobState, fraction: number) {
  const share = state === 'SUCCEEDED' ? 1 : fraction;
  const step = Math.round(share * totalSteps);
  return { step, totalSteps, epoch: Math.min(10, Math.floor(step / 469) + 1), epochs: 10, fraction: share, ...(state === 'RUNNING' ? { etaSeconds: 361 } : {}), updatedAt: before(0.05) };
}

/** The specification with its defaults, as the service fills them in. */
export function resolvedOf(specification: JsonObject): JsonObject {
  return {
    ...specification,
    dataset: { name: 'fashion-mnist' },
    precision: { lossScale: { rule: 'dynamic' }, half: 'fp16', level: 'O0', ...(specification['precision'] as JsonObject) },
    training: { epochs: 10, batchSize: 128, optimizer: { name: 'momentum', learningRate: 0.1, momentum: 0.9, weightDecay: 0.0001 }, schedule: 'piecewise:50%=0.1,75%=0.01', seed: 1, ...(specification['training'] as JsonObject) },
    device: 'auto',
    priority: 0,
  };
}

function attemptsOf(state: JobState, minutes: number, ended: string | undefined) {
  const first = { number: 1, server: '0b671812-1303-4410-87ff-5eb9db615b3b', pid: 4711, startedAt: before(minutes - 0.5), fromStep: 0 };
  if (state === 'INTERRUPTED') {
    return [{ ...first, endedAt: before(2), reason: 'WORKER_LOST', exit: { signal: 9, graceful: false } }];
  }
  return [ended ? { ...first, endedAt: ended, reason: reasons[state][0], exit: { code: state === 'FAILED' ? 5 : 0, graceful: true } } : first];
}

function failure() {
  return {
    type: 'non-finite',
    detail: 'The loss was not finite at step 812. First not finite: /conv1, Inf in the forward pass in fp16. Use level O2 with a dynamic loss scale, or BF16.',
    cell: '/conv1',
    step: 812,
    oomKilled: false,
    retryable: false,
    logTail: `step 811 loss 3.1e4\nstep 812 loss inf\n${attack}\nhalfcell: the loss was not finite`,
  };
}
