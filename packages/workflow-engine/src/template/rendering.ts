import type { Template } from '@gateway/crd-schemas';
import { RenderFailure } from './render-failure.ts';
import { DEFAULT_MAX_STEPS, UNITS_PER_BYTE, type RenderLimits } from './render-limits.ts';
import type { FunctionContext, TemplateValue } from './template-value.ts';

/** Where one rendering stands. */
export interface Rendering {
  readonly template: Template;
  readonly maxBytes: number;
  readonly context: FunctionContext;
  stepsLeft: number;
  depth: number;
  text: string;
  /** The keys of maps in order, for loops that come back to a map. */
  readonly keys: Map<object, readonly string[]>;
}

/** The variables of the template that is being rendered; the place is the slot. */
export type Slots = TemplateValue[];

/** Starts a rendering with full budgets. */
export const startRendering = (template: Template, limits: RenderLimits): Rendering => {
  let units = limits.maxBytes * UNITS_PER_BYTE;
  return {
    template,
    maxBytes: limits.maxBytes,
    stepsLeft: limits.maxSteps ?? DEFAULT_MAX_STEPS,
    depth: 0,
    text: '',
    keys: new Map(),
    context: {
      now: limits.now,
      spend: (amount) => {
        units -= amount;
        return units >= 0;
      },
    },
  };
};

/** Counts one step; a failure when none is left. */
export const step = (rendering: Rendering, at: number): RenderFailure | undefined => {
  rendering.stepsLeft -= 1;
  return rendering.stepsLeft < 0
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
