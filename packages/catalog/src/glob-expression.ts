import picomatch from 'picomatch';

/** Leaves picomatch with question marks, classes and escapes. */
const PLAIN: picomatch.PicomatchOptions = {
  dot: true,
  fastpaths: false,
  keepQuotes: true,
  literalBrackets: false,
  nobrace: true,
  noextglob: true,
  noglobstar: true,
  nonegate: true,
  posix: false,
  strictSlashes: true,
};

/**
 * The regular expression, for flag `u`, of a glob without stars, as picomatch writes it, without anchors.
 * picomatch only writes it: its own compiling knows no flag `u`, and its stars backtrack without bound.
 */
export const expressionOf = (glob: string): string =>
  glob === '' ? '' : picomatch.parse(glob, PLAIN).output;
