/** What the service answers, as openapi.yaml says it. */

export const jobStates = [
  'QUEUED',
  'STARTING',
  'RUNNING',
  'PAUSED',
  'INTERRUPTED',
  'CANCELLING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
] as const;
export type JobState = (typeof jobStates)[number];

export const levels = ['O0', 'O1', 'O2', 'O3', 'auto'] as const;
export type Level = (typeof levels)[number];

/** A JSON object whose keys a schema tells, and not this program. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export interface StatusReason {
  code: string;
  message: string;
  since: string;
}

export interface Progress {
  step: number;
  totalSteps?: number;
  epoch: number;
  epochs: number;
  fraction: number;
  etaSeconds?: number;
  updatedAt: string;
}

export interface Origin {
  job: string;
  checkpoint: string;
  step: number;
}

export interface JobSummary {
  id: string;
  owner: string;
  externalId?: string;
  name?: string;
  labels: Record<string, string>;
  notes?: string;
  priority: number;
  pinned: boolean;
  network: string;
  level: Level;
  state: JobState;
  statusReason: StatusReason;
  progress?: Progress;
  metrics: Record<string, number>;
  attempt: number;
  estimatedBytes: number;
  createdAt: string;
  startedAt?: string;
  endedAt?: string;
  resumedFrom?: Origin;
  revision: number;
}

export interface Exit {
  code?: number;
  signal?: number;
  graceful: boolean;
}

export interface Attempt {
  number: number;
  server: string;
  pid?: number;
  startedAt: string;
  fromStep?: number;
  endedAt?: string;
  reason?: string;
  exit?: Exit;
}

export interface Failure {
  type: string;
  detail: string;
  cell?: string;
  step?: number;
  oomKilled: boolean;
  retryable: boolean;
  logTail: string;
}

export interface Job extends JobSummary {
  specification: JsonObject;
  resolved: JsonObject;
  attempts: Attempt[];
  exit?: Exit;
  failure?: Failure;
}

export interface JobPage {
  jobs: JobSummary[];
  next?: string;
}

export interface PlanCell {
  path: string;
  class: string;
  parameters: string | null;
  compute: string;
  output: string;
  reason: string;
}

export interface Plan {
  level: Level;
  half: string;
  cells: PlanCell[];
  notes: string[];
  totals: Record<string, number>;
  estimated_peak_bytes?: number;
  estimated_parts?: Record<string, number>;
  estimated_device_bytes?: number;
  estimated_device_parts?: Record<string, number>;
  not_estimated?: string;
}

export interface Memory {
  bytes: number;
  limitBytes: number;
  parts: Record<string, number>;
  text: string;
  device?: { name: string; bytes: number; limitBytes: number; parts: Record<string, number> };
}

export interface DryRun {
  resolved: JsonObject;
  network: string;
  level: Level;
  epochs: number;
  stepsPerEpoch: number;
  totalSteps: number;
  batchSize: number;
  flopsPerStep?: number;
  memory: Memory;
  time?: { seconds: number; secondsPerStep: number; measuredBy: string };
  plan: Plan;
}

export interface JobEvent {
  job: string;
  number: number;
  attempt: number;
  at: string;
  kind: 'state' | 'step' | 'epoch' | 'overflow' | 'scale' | 'checkpoint' | 'notice';
  data: JsonObject;
}

export interface EventPage {
  events: JobEvent[];
  after: number;
  oldest: number;
  state: JobState;
  ended: boolean;
}

export interface Series {
  last: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
}

export interface Metrics {
  sampled: boolean;
  totalPoints: number;
  steps: number[];
  overflows: number[];
  series: Record<string, Series>;
  epochs: { epoch: number; step: number; values: Record<string, number | null> }[];
}

export interface Artifact {
  name: string;
  bytes: number;
  sha256: string;
  mediaType: string;
  modifiedAt: string;
}

export interface Results {
  testAccuracy?: number;
  testLoss?: number;
  finalTrainLoss?: number;
  overflowSteps?: number;
  stepMilliseconds?: number;
  samplesPerSecond?: number;
  peakBytes?: number;
}

export interface Comparison {
  id: string;
  ended: boolean;
  rows: {
    job: string;
    level: Level;
    seed?: number;
    state: JobState;
    metrics: Record<string, number>;
    results?: Results;
  }[];
  levels: { level: Level; jobs: number; succeeded: number; results?: Results }[];
}

export interface Network {
  name: string;
  summary: string;
  parameters: number;
  sample: string;
  dataset: string;
  defaults: {
    batchSize: number;
    epochs: number;
    learningRate: number;
    momentum: number;
    weightDecay: number;
  };
}

export interface Dataset {
  name: string;
  summary: string;
  sample?: string;
  classes?: string[];
  train?: number;
  test?: number;
}

export interface Devices {
  devices: { name: string; threads: number; automatic: boolean }[];
  memoryBytes: number;
  jobLimitBytes: number;
}

export interface LevelDescription {
  name: Level;
  summary: string;
  lossScale: Record<string, string>;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  errors?: { pointer: string; message: string; allowed?: string }[];
}
