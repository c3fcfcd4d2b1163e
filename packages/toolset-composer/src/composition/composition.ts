import { MAX_INLINE_SELECTORS } from '@gateway/toolset-grammar';
import {
  selectorProblem,
  type SelectorProblem,
  type TooManySelectors,
} from './selector-problem.ts';

/** A toolset being composed: selectors without duplicates, in the order in which they were chosen. Immutable. */
export interface Composition {
  readonly selectors: readonly string[];
}

/** The outcome of adding typed text. A problem is a value; the composition is then unchanged. */
export type Added =
  | { readonly ok: true; readonly composition: Composition }
  | { readonly ok: false; readonly problem: SelectorProblem };

/** The selector that a toolset without tools declares. @spec §2.3 */
export const NO_TOOLS = 'preset:none';

/** The selector of the whole catalog. @spec §2.3 */
export const FULL_ACCESS = 'preset:full';

/** The selectors that stand alone: one of them replaces all others, and any other selector replaces it. */
const EXCLUSIVE: ReadonlySet<string> = new Set([NO_TOOLS, FULL_ACCESS]);

/** The composition without a selector. */
export const EMPTY_COMPOSITION: Composition = { selectors: [] };

/** Returns whether a selector is chosen. */
export const isChosen = ({ selectors }: Composition, selector: string): boolean =>
  selectors.includes(selector);

/** Returns the composition with a selector. `preset:none` and `preset:full` replace all others and are replaced by any other. */
export const choose = (composition: Composition, selector: string): Composition => {
  if (isChosen(composition, selector)) return composition;
  if (EXCLUSIVE.has(selector)) return { selectors: [selector] };
  const others = composition.selectors.filter((chosen) => !EXCLUSIVE.has(chosen));
  return { selectors: [...others, selector] };
};

/** Returns the composition without a selector. */
export const remove = (composition: Composition, selector: string): Composition =>
  isChosen(composition, selector)
    ? { selectors: composition.selectors.filter((chosen) => chosen !== selector) }
    : composition;

/** Returns the composition with the selector chosen if it was not, and removed if it was. */
export const toggle = (composition: Composition, selector: string): Composition =>
  isChosen(composition, selector) ? remove(composition, selector) : choose(composition, selector);

/** Adds a selector that a person typed. White space at its ends is ignored. @spec §2.1 */
export const addText = (composition: Composition, text: string): Added => {
  const selector = text.trim();
  const problem = selectorProblem(selector);
  return problem === undefined
    ? { ok: true, composition: choose(composition, selector) }
    : { ok: false, problem };
};

/** Returns a composition that starts with the declared toolset of another agent. Duplicates are dropped. */
export const startFrom = (toolset: readonly string[]): Composition => ({
  selectors: [...new Set(toolset)],
});

/** Returns whether a person has chosen nothing, so that the agent has no tools. */
export const isEmpty = ({ selectors }: Composition): boolean => selectors.length === 0;

/** Returns the reason why the composition cannot be declared; `undefined` when it can. @spec §8 */
export const sizeProblem = ({ selectors }: Composition): TooManySelectors | undefined =>
  selectors.length > MAX_INLINE_SELECTORS
    ? { code: 'selectors.too-many', count: selectors.length }
    : undefined;

/** Returns the problem of every selector that is none, such as those of a toolset that was started from another agent. */
export const selectorProblems = ({ selectors }: Composition): readonly SelectorProblem[] =>
  selectors.flatMap((selector) => selectorProblem(selector) ?? []);

/** Returns the toolset that the release declares, verbatim. Nothing chosen is declared as `preset:none`. @spec §2.8 */
export const declaredToolset = (composition: Composition): readonly string[] =>
  isEmpty(composition) ? [NO_TOOLS] : composition.selectors;
