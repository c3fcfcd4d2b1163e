import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

/** A program and its first arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The package that has the command line. */
const PACKAGE = '@gateway/gateway';
/** The folder in which npx keeps packages for a time, with the folder of this package in it. */
const TEMPORARY = /^.*[\\/]_npx[\\/][^\\/]+(?=[\\/])/u;
/** The path or the URL of a package that is not from the registry, as npm writes it. */
const ELSEWHERE = /^[a-z+]{2,}:/u;

/** Returns where npx has this package from: a path or URL, or `undefined` for the registry. */
const sourceOfPackage = (folder: string): string | undefined => {
  let written: unknown;
  try {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Readonly<Record<string, unknown>>;
    };
    written = dependencies?.[PACKAGE];
  } catch {
    return undefined;
  }
  if (typeof written !== 'string' || !ELSEWHERE.test(written)) return undefined;
  return written.startsWith('file:') ? resolve(folder, written.slice('file:'.length)) : written;
};

const npxProgram = (folder: string): Program => {
  const source = sourceOfPackage(folder);
  const args = source === undefined ? [PACKAGE] : ['--package', source, 'gateway'];
  return { command: 'npx', args: ['-y', ...args] };
};

/**
 * Returns how another program starts this command line: the words of a command, otherwise this program with absolute paths, because
 * applications that start from a desktop have another search path. A program of npx is started by npx, because npx deletes its folder; a
 * package that is not from the registry has its path, because the registry may have another package of this name.
 */
export const gatewayProgram = (words?: readonly string[]): Program => {
  if (words !== undefined) {
    const [command = '', ...args] = words;
    return { command, args };
  }
  const script = process.argv[1];
  if (script === undefined) return { command: 'gateway', args: [] };
  const folder = TEMPORARY.exec(script)?.[0];
  if (folder !== undefined) return npxProgram(folder);
  return { command: process.execPath, args: [resolve(script)] };
};
