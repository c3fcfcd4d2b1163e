import type { Template } from '../syntax/tree/template.ts';
import { RenderFailure } from './render-failure.ts';
import { fullAllowance, type RenderAllowance, type RenderOptions } from './render-options.ts';
import type { FunctionContext, TemplateValue } from '../values/template-value.ts';
import { OVER_BUDGET } from '../values/value-limits.ts';

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
  const allowance = limits.allowance ?? fullAllowance(limits);
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
export const step = (
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
