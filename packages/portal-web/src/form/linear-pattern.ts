import { RE2JS } from 're2js';

const MAX_PATTERN = 1_000;
/** The length of a pattern times its largest count: an upper bound for the time to compile it. */
const MAX_EXPANDED = 100_000;
/** Instructions of the compiled patterns times characters that are matched in one validation: about one second. */
const MAX_STEPS = 20_000_000;

const COUNTS = /\{(\d+)(?:,(\d*))?\}/g;

const expandedLength = (pattern: string): number => {
  const counts = [...pattern.matchAll(COUNTS)].flatMap(([, low, high]) => [
    Number(low),
    Number(high ?? 0),
  ]);
  return pattern.length * Math.max(1, ...counts);
};

/** The steps of a match that take as long as compiling one character of a pattern. */
const COMPILE_STEPS = 200;

/** Returns a pattern that takes linear time; undefined for one that cannot, such as one with look-ahead. */
const compile = (pattern: string): RE2JS | undefined => {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined;
  }
};

/** The compiled patterns of the forms that are open. */
const known = new Map<string, RE2JS | undefined>();
const MAX_KNOWN = 200;

const compiled = (pattern: string, budget: MatchBudget): RE2JS | undefined => {
  if (known.has(pattern)) return known.get(pattern);
  const length = expandedLength(pattern);
  if (pattern.length > MAX_PATTERN || length > MAX_EXPANDED) return undefined;
  budget.steps -= length * COMPILE_STEPS;
  if (budget.steps < 0) return undefined;
  if (known.size >= MAX_KNOWN) known.clear();
  const made = compile(pattern);
  known.set(pattern, made);
  return made;
};

/** The steps that the matches of one validation may still take. */
export interface MatchBudget {
  steps: number;
}

/** Returns the budget of one validation. */
export const matchBudget = (): MatchBudget => ({ steps: MAX_STEPS });

const isAffordable = (pattern: RE2JS, text: string, budget: MatchBudget): boolean => {
  budget.steps -= pattern.programSize() * (text.length + 1);
  return budget.steps >= 0;
};

/**
 * Returns the texts that a pattern from outside matches, in linear time; undefined when the pattern cannot be decided so, or the budget is spent.
 */
export const matchedTexts = (
  source: string,
  texts: readonly string[],
  budget: MatchBudget,
): readonly string[] | undefined => {
  const pattern = compiled(source, budget);
  if (pattern === undefined) return undefined;
  const found: string[] = [];
  for (const text of texts) {
    if (!isAffordable(pattern, text, budget)) return undefined;
    if (pattern.matcher(text).find()) found.push(text);
  }
  return found;
};
