/** Quotes the text as one word of a POSIX shell, zsh or bash. */
export const quotedForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Quotes the text as one word of fish, where a backslash escapes inside single quotes. */
export const quotedForFish = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;

const PLAIN = /^[\w@%+=:,./-]+$/u;

/** Returns the text as one word of a command to copy: quoted only where a shell would change it. */
export const wordForShell = (text: string): string =>
  PLAIN.test(text) ? text : quotedForShell(text);
