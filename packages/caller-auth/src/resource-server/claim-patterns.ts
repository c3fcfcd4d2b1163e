import type { JsonObject } from '@gateway/call-contract';
import { compileGlob } from '@gateway/catalog';
import { claimAt } from './claim-path.ts';

/** Characters of the longest value that is compared; a longer one matches nothing. */
const MAX_VALUE_CHARS = 512;

/** Values of a claim that are compared; a value after them matches nothing. */
const MAX_VALUES = 1_000;

/** Returns whether the claims of a token are accepted. */
export type ClaimCheck = (claims: JsonObject) => boolean;

/**
 * Returns the check of required claims: each path has a value, or a list with a value, that matches one of its globs. A glob that does
 * not compile matches nothing; the settings refuse it.
 */
export const claimCheckOf = (required: Readonly<Record<string, readonly string[]>>): ClaimCheck => {
  const checks = Object.entries(required).map(([path, patterns]) => ({
    path,
    globs: patterns.map((pattern) => compileGlob(pattern)),
  }));
  return (claims) =>
    checks.every(({ path, globs }) =>
      valuesOf(claimAt(claims, path)).some((value) =>
        globs.some((glob) => glob.ok && glob.matches(value)),
      ),
    );
};

/** An empty text is no value: a lone `*` asks that there is one. */
const valuesOf = (claim: unknown): readonly string[] => {
  const values: readonly unknown[] = Array.isArray(claim) ? claim.slice(0, MAX_VALUES) : [claim];
  return values.flatMap((value) => {
    const isScalar = typeof value === 'string' || typeof value === 'boolean';
    const text = isScalar ? String(value) : '';
    return text !== '' && text.length <= MAX_VALUE_CHARS ? [text] : [];
  });
};
