import type { ClientPlace } from '@gateway/client-config';
import {
  createFileAtomically,
  readErrorCode,
  replaceFileIfUnchanged,
  returnOn,
  formatWriteFailure,
} from '@gateway/files';
import { constants, readFileSync } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { CommandFailure } from '../failure.ts';

export const MAX_CLIENT_FILE_BYTES = 10_000_000;

// Without O_NONBLOCK, opening a pipe without a writer never returns.
const READING = constants.O_RDONLY | constants.O_NONBLOCK;

const PRIVATE = { mode: 0o600, isDurable: true } as const;

export const resolveClientPlace = (
  env: Readonly<Record<string, string | undefined>>,
  project = '.',
): ClientPlace => {
  const { platform } = process;
  return {
    platform: platform === 'win32' || platform === 'darwin' ? platform : 'linux',
    home: env['HOME'] ?? env['USERPROFILE'] ?? homedir(),
    project: resolve(project),
    env,
  };
};

const createFailure = (path: string, reason: string): CommandFailure =>
  new CommandFailure('failed', `${path} ${reason}`);

/** Passes on the result of a write; a failure of the file system names the file of the user and not a temporary one. */
export const wrapWriteFailure = <T>(path: string, write: Promise<T>): Promise<T> =>
  write.catch((error: unknown) => {
    throw createFailure(path, `cannot be written: ${formatWriteFailure(error)}`);
  });

const decodeText = (path: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw createFailure(path, 'is not text in UTF-8');
  }
};

/**
 * Reads a file of a client with its byte order mark; `undefined` when it does not exist.
 *
 * @throws CommandFailure for a file that is too large, no regular file, no text, or that cannot be read
 */
export const readClientFile = async (path: string): Promise<string | undefined> => {
  const handle = await open(path, READING).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(readErrorCode(error))) return undefined;
    throw createFailure(path, `cannot be read (${readErrorCode(error)})`);
  });
  if (handle === undefined) return undefined;
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw createFailure(path, 'is not a regular file');
    if (facts.size > MAX_CLIENT_FILE_BYTES)
      throw createFailure(
        path,
        `has more than ${MAX_CLIENT_FILE_BYTES.toLocaleString('en')} bytes`,
      );
    return decodeText(path, await handle.readFile());
  } finally {
    await handle.close();
  }
};

/**
 * Writes a file of a client whole, or not at all. A link stays and its target is replaced; a new file can be read by its owner only. `before`
 * is the text that the change was made from; it is absent for a new file.
 *
 * @throws CommandFailure when another program changed the file meanwhile, or when it cannot be written
 */
export const writeClientFile = async (
  path: string,
  { before, after }: { readonly before?: string | undefined; readonly after: string },
): Promise<void> => {
  const hasWritten = await wrapWriteFailure(
    path,
    before === undefined ? createFile(path, after) : replaceFile(path, before, after),
  );
  if (!hasWritten) throw createFailure(path, 'was changed by another program meanwhile: try again');
};

const createFile = async (path: string, after: string): Promise<boolean> => {
  await mkdir(dirname(path), { recursive: true });
  return createFileAtomically(path, after, PRIVATE);
};

const replaceFile = async (path: string, before: string, after: string): Promise<boolean> => {
  const target = await realpath(path).catch(returnOn('ENOENT', path));
  return replaceFileIfUnchanged(target, after, {
    ...PRIVATE,
    isUnchanged: () => readFileSync(target, 'utf8') === before,
  });
};
