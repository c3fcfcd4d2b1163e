import type { PatternMatch } from './find-matches.ts';

/** A piece of a replacement: literal text, or the group to insert. */
export type ReplacementPart = string | { readonly group: number | string };

const reference = /\$(?:\$|(\w+)|\{(\w+)\})/gu;

const groupKey = (name: string): number | string => (/^\d+$/.test(name) ? Number(name) : name);

/** Reads a replacement: `$1`, `${1}`, `$name` and `${name}` are groups, `$$` is a dollar sign. `$1x` is the group named `1x`. */
export const replacementParts = (replacement: string): readonly ReplacementPart[] => {
  const parts: ReplacementPart[] = [];
  let at = 0;
  for (const match of replacement.matchAll(reference)) {
    parts.push(replacement.slice(at, match.index));
    const name = match[1] ?? match[2];
    parts.push(name === undefined ? '$' : { group: groupKey(name) });
    at = match.index + match[0].length;
  }
  parts.push(replacement.slice(at));
  return parts;
};

/** Returns the texts that replace a match. Groups that did not participate, and unknown groups, are empty. */
export const expanded = (
  parts: readonly ReplacementPart[],
  match: PatternMatch,
): readonly string[] =>
  parts.map((part) => (typeof part === 'string' ? part : (match.group(part.group) ?? '')));
