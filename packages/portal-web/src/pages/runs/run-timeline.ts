import type { Run, RunStep } from './run-facts.ts';

/** The part of the time of a run in which a step ran, in percent of the time of the run. */
export interface TimelineBar {
  readonly offset: number;
  readonly length: number;
}

const PERCENT = 100;
/** Short steps can still be seen. */
const LEAST = 0.5;

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);

const msBetween = (from: string, to: string): number => {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isNaN(ms) ? 0 : ms;
};

/** Returns when a step ran. Clocks may be set back: a bar is never outside of the run. */
export const timelineBar = (
  { startedAt, durationMs }: Pick<Run, 'startedAt' | 'durationMs'>,
  step: Pick<RunStep, 'startedAt' | 'durationMs'>,
): TimelineBar => {
  const whole = Math.max(durationMs, 1);
  const offset = clamp((msBetween(startedAt, step.startedAt) / whole) * PERCENT, PERCENT - LEAST);
  const length = clamp((step.durationMs / whole) * PERCENT, PERCENT - offset);
  return { offset, length: Math.max(length, LEAST) };
};
