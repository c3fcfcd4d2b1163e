import type { TemplateFunction } from '../../values/template-value.ts';

/** A template and the text that it renders to, with empty data and the clock at 2026-01-02T03:04:05Z. */
export interface FunctionExample {
  readonly template: string;
  readonly prints: string;
}

/** A function of the template dialect with its documentation. A test renders every example. */
export interface FunctionEntry {
  readonly call: TemplateFunction;
  /** Its name and its arguments: `repeat count text`. */
  readonly signature: string;
  /** The heading under which it is documented. */
  readonly group: string;
  /** A sentence in Markdown. */
  readonly summary: string;
  readonly example: FunctionExample;
}

/** A part of the function table: some functions by name. */
export type FunctionEntries = Readonly<Record<string, FunctionEntry>>;

/**
 * Writes down the functions of one group.
 *
 * @example
 * const entry = entryIn('Text');
 * const upper = entry(withArguments([text], ([value]) => value.toUpperCase()), 'upper text', 'In capitals.', ['{{ upper "a" }}', 'A']);
 */
export const entryIn =
  (group: string) =>
  (
    call: TemplateFunction,
    signature: string,
    summary: string,
    [template, prints]: readonly [template: string, prints: string],
  ): FunctionEntry => ({ call, signature, group, summary, example: { template, prints } });

/** Returns the same function under another name: its signature and its example follow. */
export const sameAs = (
  entry: FunctionEntry,
  name: string,
  alias: string,
  summary = `The same as \`${name}\`.`,
): FunctionEntry => ({
  ...entry,
  signature: entry.signature.replace(name, alias),
  summary,
  example: {
    template: entry.example.template.replace(name, alias),
    prints: entry.example.prints,
  },
});
