/** The characters of JavaScript's `\s`, inside a class; RE2's own `\s` is ASCII only. */
const SPACES =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

/** The characters of JavaScript's `.`; RE2's `.` matches all but `\n`. */
const ANY_BUT_LINE_ENDS = '[^\\n\\r\\x{2028}\\x{2029}]';

/** Escapes that mean the same in both. */
const SAME = /^\\([tnrfv.\-^$*+?()[\]{}|\\]|x[0-9a-f]{2})$/i;

const TOKEN = /\\x[0-9a-f]{2}|\\.|\(\?:?|[^]/gi;

const outside = (token: string): string => {
  if (token === '.') return ANY_BUT_LINE_ENDS;
  return token === '\\s' ? `[${SPACES}]` : token;
};

const inClass = (token: string): string => (token === '\\s' ? SPACES : token);

/**
 * The same syntax as RE2 writes it, which the API server runs: it accepts the same texts.
 *
 * @throws Error when the pattern uses what RE2 has not
 */
export const re2Pattern = ({ source }: RegExp): string => {
  let isInClass = false;
  const tokens = (source.match(TOKEN) ?? []).map((token) => {
    if (token === '\\/') return '/';
    const isForeign = token === '(?' || (token.startsWith('\\') && !SAME.test(token));
    if (isForeign && token !== '\\s') throw new Error(`RE2 cannot run the pattern ${source}`);
    if (token === '[' && !isInClass) isInClass = true;
    else if (token === ']') isInClass = false;
    return isInClass ? inClass(token) : outside(token);
  });
  return tokens.join('');
};
