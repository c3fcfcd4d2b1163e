import type { Template } from '../syntax/tree/template.ts';
import { RenderFailure } from './render-failure.ts';
import { fullAllowance, type RenderAllowance, type RenderOptions } from './render-options.ts';
import type { FunctionContext, TemplateValue } from '../values/template-value.ts';

/** Where one rendering stands. */
export interface Rendering {
  readonly template: Template;
  /** What was left for the text or the value when it started. */
  readonly maxBytes: number;
  readonly allowance: RenderAllowance;
  readonly context: FunctionContext;
  depth: number;
  text: string;
  /** The keys of maps in order, for loops that come back to a map. */
  readonly keys: Map<object, readonly string[]>;
}

/** The variables of the template that is being rendered; the place is the slot. */
export type Slots = TemplateValue[];

/** Starts a rendering with what is left of its allowance: all of it, unless others share it. */
export const startRendering = (template: Template, limits: RenderOptions): Rendering => {
  const allowance = limits.allowance ?? fullAllowance(limits);
  return {
    template,
    maxBytes: allowance.bytes,
    allowance,
    depth: 0,
    text: '',
    keys: new Map(),
    context: {
      now: limits.now,
      spend: (amount) => {
        allowance.units -= amount;
        return allowance.units >= 0;
      },
    },
  };
};

/** So many operands of one call, or keys of one chain, take as long as a step. */
const PARTS_PER_STEP = 8;

/** Counts a step of so many parts; a failure when none is left. */
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

/** Appends to the text, up to its bound. */
export const write = (
  rendering: Rendering,
  text: string,
  at: number,
): RenderFailure | undefined => {
  if (rendering.text.length + text.length > rendering.maxBytes) {
    return new RenderFailure('the rendered text is larger than allowed', at);
  }
  rendering.text += text;
  return undefined;
};
