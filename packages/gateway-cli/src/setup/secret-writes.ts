import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { SecretFile } from '@gateway/client-config';
import { errorCodeOf, replaceFileAtomically, returnOn } from '@gateway/files';
import { CommandFailure } from '../failure.ts';
import { orWriteFailure, readClientFile } from './client-files.ts';
import type { FileChange } from './diff-text.ts';

const PRIVATE_FILE = { mode: 0o600, isDurable: true, hasOwnMode: true } as const;
const PRIVATE_DIRECTORY = 0o700;

/** The most bytes of a file that a placeholder can name. */
const MAX_SECRET_BYTES = 65_536;

/** Readers remove one line break at the end. A value without one is written as it is, so that each value is read back unchanged. */
const textOf = ({ value }: SecretFile): string => (value.endsWith('\n') ? `${value}\n` : value);

/** The files of secrets that a command changes, or the reasons for which it writes none of them. */
export interface SecretChanges {
  readonly changes: readonly FileChange[];
  readonly problems: readonly string[];
}

/** Returns the real path of a file or directory; `undefined` when there is none. */
const realPath = async (path: string): Promise<string | undefined> => {
  const facts = await lstat(path).catch(returnOn('ENOENT', undefined));
  return facts === undefined ? undefined : realpath(path);
};

const isBelow = (root: string, path: string): boolean => path.startsWith(join(root, sep));

/** Returns why a path may not be written; a link out of the configuration directory would be followed. */
export const placeProblem = async (
  directory: string,
  path: string,
  kind: 'directory' | 'file',
): Promise<string | undefined> => {
  try {
    const real = await realPath(join(directory, path));
    if (real === undefined) return undefined;
    if (!isBelow(await realpath(directory), real))
      return `${path} leads out of the configuration directory: replace the link by a ${kind}`;
    const facts = await stat(real);
    return (kind === 'directory' ? facts.isDirectory() : facts.isFile())
      ? undefined
      : `${path} is not a ${kind}`;
  } catch (error) {
    return `${path} cannot be used (${errorCodeOf(error)})`;
  }
};

const problemOf = async (directory: string, secret: SecretFile): Promise<string | undefined> => {
  const { path } = secret;
  if (Buffer.byteLength(textOf(secret)) > MAX_SECRET_BYTES)
    return `${path} would have more than ${MAX_SECRET_BYTES.toLocaleString('en')} bytes`;
  const folder = dirname(path);
  return (
    (await placeProblem(directory, dirname(folder), 'directory')) ??
    (await placeProblem(directory, folder, 'directory')) ??
    (await placeProblem(directory, path, 'file'))
  );
};

const changeOf = async (directory: string, secret: SecretFile): Promise<FileChange | undefined> => {
  const before = await readClientFile(join(directory, secret.path));
  const after = textOf(secret);
  if (before !== undefined && (before === after || before.replace(/\r?\n$/u, '') === secret.value))
    return undefined;
  return { path: secret.path, after, isSecret: true, ...(before !== undefined && { before }) };
};

/** Returns the files of secrets that do not have their values, and why secrets cannot be written. Writes nothing. */
export const secretChanges = async (
  directory: string,
  secrets: readonly SecretFile[],
): Promise<SecretChanges> => {
  const found = await Promise.all(secrets.map((secret) => problemOf(directory, secret)));
  const problems = [...new Set(found.flatMap((problem) => problem ?? []))];
  if (problems.length > 0) return { changes: [], problems };
  const changes = await Promise.all(secrets.map((secret) => changeOf(directory, secret)));
  return { changes: changes.flatMap((change) => change ?? []), problems };
};

const writeSecret = async (directory: string, secret: SecretFile): Promise<void> => {
  const file = join(directory, secret.path);
  await mkdir(dirname(file), { recursive: true, mode: PRIVATE_DIRECTORY });
  await replaceFileAtomically(file, textOf(secret), PRIVATE_FILE);
};

/**
 * Writes files of secrets, which only their owner can read.
 *
 * @throws CommandFailure when one of them cannot be written; where that is known before, without a write
 */
export const writeSecrets = async (
  directory: string,
  secrets: readonly SecretFile[],
): Promise<void> => {
  const { changes, problems } = await secretChanges(directory, secrets);
  if (problems.length > 0) throw new CommandFailure('refused', problems.join('; '));
  const changed = new Set(changes.map(({ path }) => path));
  for (const secret of secrets) {
    if (changed.has(secret.path)) await orWriteFailure(secret.path, writeSecret(directory, secret));
  }
};
