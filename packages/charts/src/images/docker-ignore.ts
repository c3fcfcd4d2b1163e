/** The patterns of a `.dockerignore`, without comments. */
export const ignorePatterns = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/**
 * Returns whether a pattern excludes a file of the build context or one of its folders. Supports `*`, `**` and literals; no exceptions (`!`).
 */
export function isIgnored(path: string, patterns: readonly string[]): boolean {
  const steps = path.split('/');
  const prefixes = steps.map((_, index) => steps.slice(0, index + 1).join('/'));
  return patterns
    .map(expressionOf)
    .some((expression) => prefixes.some((at) => expression.test(at)));
}

const expressionOf = (pattern: string): RegExp => {
  const parts = pattern.split(/(\*\*\/|\*)/u).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
};
