import type { Job, JobEvent } from '../api/types.ts';

/** What a part of the job's page starts with. */
export interface TabStart {
  job: Job;
  /** The latest events but for steps, the newest last; grows as they come. */
  events: readonly JobEvent[];
  signal: AbortSignal;
}

/** A part of the job's page; told what changes while it is shown. */
export interface Tab {
  element: HTMLElement;
  update?(job: Job): void;
  /** Of anything but a step. */
  event?(event: JobEvent): void;
}

export type MakeTab = (start: TabStart) => Tab;
