/** The text as one word of a POSIX shell, of zsh and of bash. */
export const quotedForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The text as one word of fish, which knows backslashes inside single quotes. */
export const quotedForFish = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;
