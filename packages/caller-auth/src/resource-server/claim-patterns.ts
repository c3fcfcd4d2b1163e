import type { JsonObject } from '@gateway/call-contract';
import micromatch from 'micromatch';
import { claimAt } from './claim-path.ts';

/** Characters of the longest value that is compared; a longer one matches nothing. */
const MAX_VALUE_CHARS = 512;

/** Values of a claim that are compared; a value after them matches nothing. */
const MAX_VALUES = 1_000;

/** The notation is that of `pattern` in presets: `*` and `?` do not cross `/`, braces and extglobs are literals. */
const OPTIONS: micromatch.Options = {
  dot: true,
  nobrace: true,
  noextglob: true,
  nonegate: true,
};

/** Returns whether the claims of a token are accepted. */
export type ClaimCheck = (claims: JsonObject) => boolean;

/**
 * Returns the check of required claims: each path has a value, or a list with a value, that matches one of its globs. The expressions
 * are compiled once; the configuration limits their stars, and this their input, because they backtrack.
 */
export const claimCheckOf = (required: Readonly<Record<string, readonly string[]>>): ClaimCheck => {
  const checks = Object.entries(required).map(([path, globs]) => ({
    path,
    expressions: globs.map((glob) => micromatch.makeRe(glob, OPTIONS)),
  }));
  return (claims) =>
    checks.every(({ path, expressions }) =>
      valuesOf(claimAt(claims, path)).some((value) =>
        expressions.some((expression) => expression.test(value)),
      ),
    );
};

const valuesOf = (claim: unknown): readonly string[] => {
  const values: readonly unknown[] = Array.isArray(claim) ? claim.slice(0, MAX_VALUES) : [claim];
  return values.flatMap((value) => {
    const isScalar = typeof value === 'string' || typeof value === 'boolean';
    return isScalar && String(value).length <= MAX_VALUE_CHARS ? [String(value)] : [];
  });
};
