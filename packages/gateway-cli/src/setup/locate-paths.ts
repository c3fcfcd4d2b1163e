import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { DescribedServer } from './changed-spec.ts';

/** The directories from which a relative path can count. Both are absolute. */
interface PathPlaces {
  /** The configuration directory. */
  readonly directory: string;
  readonly workingDirectory: string;
}

/** A server whose paths count from the configuration directory, and each path that was made absolute. */
interface LocatedServer {
  readonly server: DescribedServer;
  readonly located: readonly string[];
}

type Kind = 'file' | 'directory';

const exists = async (path: string, kind: Kind): Promise<boolean> => {
  const facts = await stat(path).catch(() => undefined);
  return (kind === 'file' ? facts?.isFile() : facts?.isDirectory()) === true;
};

/** Returns whether a word can be a relative path. A word without a dot and a separator is a name, such as that of a package. */
const isRelative = (word: string): boolean =>
  /[./\\]/u.test(word) && !/^-|\$\{|^[a-z]+:\/\//u.test(word) && !isAbsolute(word);

/**
 * Makes paths absolute that exist below the working directory only. A gateway resolves relative paths from the configuration directory or from
 * `cwd`, but a shell completes them from its own directory.
 */
export async function locatePaths(
  server: DescribedServer,
  { directory, workingDirectory }: PathPlaces,
): Promise<LocatedServer> {
  const located: string[] = [];
  const locate = async (word: string, base: string, kind: Kind): Promise<string> => {
    const path = resolve(workingDirectory, word);
    if (!isRelative(word) || (await exists(resolve(base, word), kind))) return word;
    if (!(await exists(path, kind))) return word;
    located.push(path);
    return path;
  };
  const { cwd: given } = server.args;
  const cwd = given === undefined ? undefined : await locate(given, directory, 'directory');
  const base = resolve(directory, cwd ?? '.');
  const command: string[] = [];
  for (const word of server.command) command.push(await locate(word, base, 'file'));
  const args = { ...server.args, ...(cwd !== undefined && { cwd }) };
  return { server: { ...server, command, args }, located };
}
