import micromatch from 'micromatch';

/** Options that leave micromatch with question marks, classes and escapes. The published types declare `flags` as a boolean by mistake. */
const PLAIN = {
  dot: true,
  fastpaths: false,
  flags: 'u',
  keepQuotes: true,
  literalBrackets: false,
  nobrace: true,
  noextglob: true,
  noglobstar: true,
  nonegate: true,
  posix: false,
  strictSlashes: true,
} as unknown as micromatch.Options;

const START = '^(?:';
const END = ')$';

/**
 * Returns the regular expression, for flag `u` and without anchors, of a glob without stars.
 *
 * micromatch compiles the pieces between the stars only: the expressions that it creates for stars backtrack without bound.
 */
export const expressionOf = (glob: string): string =>
  glob === '' ? '' : micromatch.makeRe(glob, PLAIN).source.slice(START.length, -END.length);
