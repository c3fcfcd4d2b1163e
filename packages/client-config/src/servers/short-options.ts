const PORTS = /^[\d.:-]+(?:\/\w+)?$/u;
const PATH_OR_PACKAGE = /^[@./~]|\//u;
/** Programs whose option `-p` has no password. */
const PROGRAM = /\b(?:npx|npm|pnpm|yarn|bunx?|mkdir|ssh|scp|docker|podman)\b/u;

/** The user and the password of `-u user:password`; no user and group, no path of Windows and no URL. */
const USER_AND_PASSWORD = /^(?!\d+:\d+$)(?![A-Za-z]:[\\/])(?!\w+:\/\/)[^:\s]+:\S/u;

/** Returns whether the value of `-p` or `-u` looks like a password. The text before the option can name the program. */
export const isPasswordOfOption = (name: string, value: string, before: string): boolean => {
  if (name === 'u') return USER_AND_PASSWORD.test(value);
  return (
    name === 'p' && !PORTS.test(value) && !PATH_OR_PACKAGE.test(value) && !PROGRAM.test(before)
  );
};
