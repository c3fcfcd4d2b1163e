import { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';
import {
  BUILT_IN_PRESETS,
  MAX_INLINE_SELECTORS,
  parseSelector,
  quoteText,
  type Result,
} from '@gateway/toolset-grammar';
import type { ListedTool } from './catalog-tool.ts';

/** Returns the selector of one tool. A workflow's execution tool is selected as the workflow. @spec §2.1 */
export const toToolSelector = ({ name, kind }: Pick<ListedTool, 'name' | 'kind'>): string =>
  kind === 'workflow' && name.startsWith(WORKFLOW_TOOL_PREFIX)
    ? `workflow:${name.slice(WORKFLOW_TOOL_PREFIX.length)}`
    : `tool:${name}`;

/** Returns the selector of all tools of a server or a family. @spec §2.1 */
export const toServerSelector = (name: string): string => `server:${name}`;

/** Returns the selector of a preset. @spec §2.1 */
export const toPresetSelector = (name: string): string => `preset:${name}`;

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
export const validateSelector = (text: string): SelectorProblem | undefined => {
  if (text === '') return { code: 'selector.empty' };
  const parsed = parseSelector(text);
  return parsed.ok
    ? undefined
    : { code: CODES[parsed.error.code], selector: parsed.error.selector };
};

/** Returns a problem as a sentence, in the portal's own words. */
export const formatError = (problem: SelectorProblem | TooManySelectors): string => {
  switch (problem.code) {
    case 'selector.empty':
      return 'A selector cannot be empty.';
    case 'selector.reserved':
      return `${quoteText(problem.selector)} is reserved for shared toolsets, which do not exist yet.`;
    case 'selector.label':
      return `${quoteText(problem.selector)} selects by label, which is allowed inside presets only. Ask a platform admin for a preset.`;
    case 'selector.malformed':
      return `${quoteText(problem.selector)} is not a selector. Use preset:<name>, server:<name>, workflow:<name> or tool:<name> with the exact name.`;
    case 'selectors.too-many':
      return `${problem.count} selectors is more than the ${MAX_INLINE_SELECTORS} a toolset may list inline. Define a preset for this selection and reference it instead.`;
  }
};

/** A toolset being composed: selectors without duplicates, in the order in which they were chosen. Immutable. */
export interface Composition {
  readonly selectors: readonly string[];
}

const [, NONE, FULL] = BUILT_IN_PRESETS;

/** The selector that a toolset without tools declares. @spec §2.3 */
export const NO_TOOLS = toPresetSelector(NONE);

/** The selector of the whole catalog. @spec §2.3 */
export const FULL_ACCESS = toPresetSelector(FULL);

/** The selectors that stand alone: one of them replaces all others, and any other selector replaces it. */
const EXCLUSIVE: ReadonlySet<string> = new Set([NO_TOOLS, FULL_ACCESS]);

export const EMPTY_COMPOSITION: Composition = { selectors: [] };

export const isChosen = ({ selectors }: Composition, selector: string): boolean =>
  selectors.includes(selector);

/** Returns the composition with a selector. `preset:none` and `preset:full` replace all others and are replaced by any other. */
export const choose = (composition: Composition, selector: string): Composition => {
  if (isChosen(composition, selector)) return composition;
  if (EXCLUSIVE.has(selector)) return { selectors: [selector] };
  const others = composition.selectors.filter((chosen) => !EXCLUSIVE.has(chosen));
  return { selectors: [...others, selector] };
};

export const remove = (composition: Composition, selector: string): Composition =>
  isChosen(composition, selector)
    ? { selectors: composition.selectors.filter((chosen) => chosen !== selector) }
    : composition;

export const toggle = (composition: Composition, selector: string): Composition =>
  isChosen(composition, selector) ? remove(composition, selector) : choose(composition, selector);

/** Adds a selector that a user typed. White space at its ends is ignored. @spec §2.1 */
export const addText = (
  composition: Composition,
  text: string,
): Result<Composition, SelectorProblem> => {
  const selector = text.trim();
  const error = validateSelector(selector);
  return error === undefined
    ? { ok: true, value: choose(composition, selector) }
    : { ok: false, error };
};

/** Returns a composition that starts with the declared toolset of another agent. Duplicates are dropped. */
export const fromToolset = (toolset: readonly string[]): Composition => ({
  selectors: [...new Set(toolset)],
});

export const isEmpty = ({ selectors }: Composition): boolean => selectors.length === 0;

/** Returns the reason why the composition cannot be declared; `undefined` when it can. @spec §8 */
export const validateSize = ({ selectors }: Composition): TooManySelectors | undefined =>
  selectors.length > MAX_INLINE_SELECTORS
    ? { code: 'selectors.too-many', count: selectors.length }
    : undefined;

/** Returns the problem of every selector that is none, such as those of a toolset that was started from another agent. */
export const listSelectorProblems = ({ selectors }: Composition): readonly SelectorProblem[] =>
  selectors.flatMap((selector) => validateSelector(selector) ?? []);

/** Returns the toolset that the release declares, verbatim. Nothing chosen is declared as `preset:none`. @spec §2.8 */
export const toDeclaredToolset = (composition: Composition): readonly string[] =>
  isEmpty(composition) ? [NO_TOOLS] : composition.selectors;
