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

/** The values of template expressions: JSON and times. Only own keys of objects count. */
export type TemplateValue =
  | null
  | boolean
  | number
  | string
  | TemplateTime
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue };

/** The reason that a function has no result, as the end of a sentence: `cannot parse "x" as a number`. */
export class FunctionFailure {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The environment of a function. */
export interface FunctionContext {
  /** The present time in milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Counts work and memory against the budget of the rendering. A unit is a byte of memory or about ten nanoseconds of work. Call it
   * before work whose size depends on arguments (`repeat`, `until`, `indent`). False means that the budget is spent: return a failure.
   */
  readonly spend: (amount: number) => boolean;
}

/** A function of the template dialect. Pure; never throws; bounded by `spend`. The number of arguments is validated before. */
export type TemplateFunction = (
  args: readonly TemplateValue[],
  context: FunctionContext,
) => TemplateValue | FunctionFailure;
