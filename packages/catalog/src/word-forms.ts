import { stemOf } from './stem.ts';

/** Endings of stems that make another word of the same root: `convert` and `converter`, `document` and `documentation`. */
const ENDINGS = 'er or ion ation ment al ly iti iz abl at ist ic ing ur anc'.split(' ');

/** Fewest letters of a root. */
const MIN_ROOT = 4;

const ENDS_WITH_CONSONANT = /[^aeiou]$/;

function rootsOf(stem: string): readonly string[] {
  const roots = ENDINGS.filter(
    (ending) => stem.endsWith(ending) && stem.length - ending.length >= MIN_ROOT,
  ).map((ending) => stem.slice(0, -ending.length));
  return [stem, ...roots];
}

function derivedFrom(root: string): readonly string[] {
  if (root.length < MIN_ROOT) return [];
  const derived = ENDINGS.flatMap((ending) => [root + ending, stemOf(root + ending)]);
  if (!ENDS_WITH_CONSONANT.test(root)) return derived;
  const doubled = root + root.slice(-1);
  return [...derived, `${doubled}er`, `${doubled}or`];
}

/** Returns stems that may be other forms of a stem; most of them are no words. */
export const formsOf = (stem: string): ReadonlySet<string> =>
  new Set(rootsOf(stem).flatMap((root) => [root, ...derivedFrom(root)]));
