import { stripVTControlCharacters } from 'node:util';
import { sanitisedLine, withoutFolders } from '../reason.ts';

/**
 * Returns a line of a starting program for display: what a terminal shows of it, in one printable line of at most 300 characters without
 * credentials and directories.
 *
 * @param secrets header and `env` values of the server
 */
export const progressLine = (raw: string, secrets: readonly string[]): string => {
  const text = raw.trimEnd();
  const visible = text.slice(text.lastIndexOf('\r') + 1);
  return withoutFolders(sanitisedLine(stripVTControlCharacters(visible), secrets));
};
