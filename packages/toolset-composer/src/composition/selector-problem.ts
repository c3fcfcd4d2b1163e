import { MAX_INLINE_SELECTORS, parseSelector, quoted } from '@gateway/toolset-grammar';

/** The reason why a text cannot be added to a toolset. `selector` is the trimmed text. @spec §2.1, §7.1 */
export type SelectorProblem =
  | { readonly code: 'selector.empty' }
  | {
      readonly code: 'selector.reserved' | 'selector.label' | 'selector.malformed';
      readonly selector: string;
    };

/** The reason why a composed toolset cannot be declared. @spec §2.1, §8 */
export interface TooManySelectors {
  readonly code: 'selectors.too-many';
  readonly count: number;
}

const CODES = {
  'toolset.reserved': 'selector.reserved',
  'toolset.label': 'selector.label',
  'toolset.malformed': 'selector.malformed',
} as const;

/** Returns the problem of a trimmed text; `undefined` for a selector. */
export const selectorProblem = (text: string): SelectorProblem | undefined => {
  if (text === '') return { code: 'selector.empty' };
  const parsed = parseSelector(text);
  return parsed.ok
    ? undefined
    : { code: CODES[parsed.error.code], selector: parsed.error.selector };
};

/** Returns a problem as a sentence for people, in the portal's own words. */
export const problemText = (problem: SelectorProblem | TooManySelectors): string => {
  switch (problem.code) {
    case 'selector.empty':
      return 'A selector cannot be empty.';
    case 'selector.reserved':
      return `${quoted(problem.selector)} is reserved for shared toolsets, which do not exist yet.`;
    case 'selector.label':
      return `${quoted(problem.selector)} selects by label, which is allowed inside presets only. Ask a platform admin for a preset.`;
    case 'selector.malformed':
      return `${quoted(problem.selector)} is not a selector. Use preset:<name>, server:<name>, workflow:<name> or tool:<name> with the exact name.`;
    case 'selectors.too-many':
      return `${problem.count} selectors is more than the ${MAX_INLINE_SELECTORS} a toolset may list inline. Define a preset for this selection and reference it instead.`;
  }
};
