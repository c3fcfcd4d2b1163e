import type { IsLiveMap } from '../values/export-json.ts';
import type { Template } from '../syntax/template.ts';
import { type FunctionContext, OVER_BUDGET, type TemplateValue } from '../values/template-value.ts';

/** The reason that a rendering has no result. `at` is the position in its text, counted in characters from 0. */
export class RenderFailure {
  readonly text: string;
  readonly at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }
}

/** The bounds of a rendering, and its clock. */
export interface RenderOptions {
  /** Bytes of one rendered value: of its texts and keys in UTF-8, and one for everything else. */
  readonly maxBytes: number;
  /** Operands and pieces that are evaluated; {@link DEFAULT_MAX_STEPS} when absent. */
  readonly maxSteps?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The budget that several renderings share; a new one for each value when absent. */
  readonly allowance?: RenderAllowance;
  /** Returns whether the caller still adds to a map of the data. Such a map is copied when it leaves its template; none when absent. */
  readonly isLive?: IsLiveMap;
}

/** The remaining budget of the renderings that share it. */
export interface RenderAllowance {
  bytes: number;
  steps: number;
  /** For what functions read and produce: a unit is a byte of memory or about ten nanoseconds of work. */
  units: number;
  /** An estimate of the bytes of memory that were allocated so far; values that are passed on unchanged cost nothing. */
  made: number;
}

/** Operands and pieces that the renderings of one value evaluate at most. */
const DEFAULT_MAX_STEPS = 1_000_000;

/** The budget of functions in units, as a multiple of the bytes of one value. */
const UNITS_PER_BYTE = 16;

/** Units that cost as much as one step. */
const UNITS_PER_STEP = 64;

/** Returns an unused budget for these options. */
export const createFullAllowance = ({ maxBytes, maxSteps }: RenderOptions): RenderAllowance => ({
  bytes: maxBytes,
  steps: maxSteps ?? DEFAULT_MAX_STEPS,
  units: maxBytes * UNITS_PER_BYTE,
  made: 0,
});

const INLINE_STEPS = 20_000;
const INLINE_UNITS = 500_000;

/**
 * Returns a budget for a rendering that must not hold up other work of the process: at most about ten milliseconds. If it
 * {@link isSpent}, the rendering failed for this reason, and the caller may render again elsewhere with a larger budget.
 *
 * @param within a budget that it does not exceed
 */
export const createInlineAllowance = (
  options: RenderOptions,
  within = createFullAllowance(options),
): RenderAllowance => ({
  ...within,
  steps: Math.min(within.steps, INLINE_STEPS),
  units: Math.min(within.units, INLINE_UNITS),
});

/**
 * Returns the budget of a rendering that may take this number of steps in all. Work of functions counts as steps: 64 units are a
 * step.
 */
export const createAllowanceWithin = (
  options: RenderOptions,
  maxSteps: number,
): RenderAllowance => {
  const full = createFullAllowance(options);
  return {
    ...full,
    steps: Math.min(full.steps, maxSteps),
    units: Math.min(full.units, maxSteps * UNITS_PER_STEP),
  };
};

/** Returns whether a rendering failed because it needs more steps or units than its budget has. */
export const isSpent = ({ steps, units }: RenderAllowance): boolean => steps < 0 || units < 0;

/** Returns the steps that were taken from a budget, with the work of functions. */
export const countStepsTaken = (given: RenderAllowance, left: RenderAllowance): number =>
  given.steps - left.steps + Math.ceil((given.units - left.units) / UNITS_PER_STEP);

/** Blocks and templates that are open at the same time. */
export const MAX_RENDER_DEPTH = 400;

/** The state of one rendering. */
export interface Rendering extends FunctionContext {
  readonly template: Template;
  /** The remaining bytes of the text or the value when the rendering started. */
  readonly maxBytes: number;
  readonly allowance: RenderAllowance;
  depth: number;
  text: string;
  /** The sorted keys of maps, for loops that iterate over a map again. */
  readonly keys: Map<object, readonly string[]>;
}

/** The variables of the template that is being rendered; the place is the slot. */
export type Slots = TemplateValue[];

/** Starts a rendering with the rest of a shared allowance, or with a new one. */
export const startRendering = (template: Template, limits: RenderOptions): Rendering => {
  const allowance = limits.allowance ?? createFullAllowance(limits);
  const spend = (amount: number): boolean => {
    allowance.units -= amount;
    return allowance.units >= 0;
  };
  return {
    template,
    maxBytes: allowance.bytes,
    allowance,
    depth: 0,
    text: '',
    keys: new Map(),
    now: limits.now,
    spend,
  };
};

/** This number of operands of a call, or keys of a chain, costs one step. */
const PARTS_PER_STEP = 8;

/** Counts a step with its parts; returns a failure when no step is left. */
export const countStep = (
  { allowance }: Rendering,
  at: number,
  parts = 0,
): RenderFailure | undefined => {
  allowance.steps -= 1 + Math.floor(parts / PARTS_PER_STEP);
  return allowance.steps < 0
    ? new RenderFailure('the template takes more steps than allowed', at)
    : undefined;
};

/** Characters that are appended to the text and counted for one unit. */
const WRITTEN_PER_UNIT = 4;

/** Appends to the text, up to its bound. */
export const write = (
  rendering: Rendering,
  text: string,
  at: number,
): RenderFailure | undefined => {
  if (rendering.text.length + text.length > rendering.maxBytes) {
    return new RenderFailure('the rendered text is larger than allowed', at);
  }
  // Short texts cost no more than the step that makes them.
  if (text.length >= WRITTEN_PER_UNIT) {
    rendering.allowance.units -= Math.floor(text.length / WRITTEN_PER_UNIT);
    if (rendering.allowance.units < 0) return new RenderFailure(OVER_BUDGET, at);
  }
  rendering.text += text;
  return undefined;
};
