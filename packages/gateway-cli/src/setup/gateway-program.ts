import { resolve } from 'node:path';
import process from 'node:process';

/** A program and its first arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The package that has the command line. */
const PACKAGE = '@gateway/gateway';
/** The folder in which npx keeps packages for a time. */
const TEMPORARY = /[\\/]_npx[\\/]/u;

/**
 * Returns how another program starts this command line: the words of a command, otherwise this program with absolute paths, because
 * applications that start from a desktop have another search path. A program of npx is started by npx, because npx deletes its folder.
 */
export const gatewayProgram = (words?: readonly string[]): Program => {
  if (words !== undefined) {
    const [command = '', ...args] = words;
    return { command, args };
  }
  const script = process.argv[1];
  if (script === undefined) return { command: 'gateway', args: [] };
  if (TEMPORARY.test(script)) return { command: 'npx', args: ['-y', PACKAGE] };
  return { command: process.execPath, args: [resolve(script)] };
};
