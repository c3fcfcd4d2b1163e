/** An instant inside a template: it prints as RFC 3339 in UTC and leaves the template as that text. */
export class TemplateTime {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** Minutes east of UTC in which it prints. */
  readonly offsetMinutes: number;

  constructor(ms: number, offsetMinutes = 0) {
    this.ms = ms;
    this.offsetMinutes = offsetMinutes;
  }
}

/** What expressions of a template work with: JSON, and instants. Only own keys of objects count. */
export type TemplateValue =
  | null
  | boolean
  | number
  | string
  | TemplateTime
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue };

/** Why a function has no answer, as the end of a sentence: `cannot parse "x" as a number`. */
export class FunctionFailure {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a function may use beside its arguments. */
export interface FunctionContext {
  /** The present time in milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Counts work and size against the budget of the rendering: call it before making something whose size depends on
   * arguments (`repeat`, `until`, `indent`), with that size in characters or items. False means that the budget is spent: return a failure.
   */
  readonly spend: (amount: number) => boolean;
}

/** One function of the template dialect. Pure; never throws; bounded by `spend`. The number of arguments is checked before. */
export type TemplateFunction = (
  args: readonly TemplateValue[],
  context: FunctionContext,
) => TemplateValue | FunctionFailure;
