/** The Node releases that can start the commands: the first minor of each major release. Later majors are accepted. */
const FIRST_MINOR = { 20: 19, 22: 13 };
const NEWER = 24;

/**
 * Returns why a Node version cannot start the commands, or undefined when it can.
 * Old releases read this file too: it uses no recent syntax.
 */
export function nodeVersionRefusal(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  if (major >= NEWER) return undefined;
  const first = FIRST_MINOR[major];
  if (first !== undefined && minor >= first) return undefined;
  return (
    'This repository needs Node 20.19 or later (20.19+, 22.13+ or 24+); this is ' +
    version.replace(/^v/, '') +
    '. Install a newer Node from https://nodejs.org and run the command again.'
  );
}
