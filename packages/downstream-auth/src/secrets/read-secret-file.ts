import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import process from 'node:process';
import { isPrivateFile } from '@gateway/service-host';

/** A file of a Secret that is refused. `path` is relative to the configuration directory. */
export type SecretFileProblem =
  | { readonly code: 'secret.name'; readonly part: 'name' | 'key'; readonly value: string }
  | { readonly code: 'secret.absent'; readonly path: string }
  | { readonly code: 'secret.outside'; readonly path: string }
  | { readonly code: 'secret.kind'; readonly path: string }
  | { readonly code: 'secret.mode'; readonly path: string; readonly mode: number }
  | { readonly code: 'secret.size'; readonly path: string; readonly maxBytes: number }
  | { readonly code: 'secret.empty'; readonly path: string }
  | { readonly code: 'secret.text'; readonly path: string }
  | { readonly code: 'secret.unreadable'; readonly path: string; readonly error: string };

const MODE_DIGITS = 4;

/** Returns the sentence of a problem, which never repeats content of the file. */
export const formatSecretFileProblem = (problem: SecretFileProblem): string => {
  switch (problem.code) {
    case 'secret.name':
      return `the ${problem.part} ${JSON.stringify(problem.value)} of a Secret is not valid: use letters, digits, "-", "_" and "."`;
    case 'secret.absent':
      return `the file ${problem.path} does not exist: create it with mode 0600`;
    case 'secret.outside':
      return `the file ${problem.path} is a link that leaves the directory of its Secret: replace it with a regular file`;
    case 'secret.kind':
      return `${problem.path} is not a regular file`;
    case 'secret.mode':
      return `the file ${problem.path} has mode ${problem.mode.toString(8).padStart(MODE_DIGITS, '0')}: set it to 0600`;
    case 'secret.size':
      return `the file ${problem.path} has more than ${problem.maxBytes} bytes`;
    case 'secret.empty':
      return `the file ${problem.path} is empty`;
    case 'secret.text':
      return `the file ${problem.path} is not one line of text in UTF-8`;
    case 'secret.unreadable':
      return `the file ${problem.path} cannot be read (${problem.error})`;
  }
};

type SecretFile =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: SecretFileProblem };

interface SecretFilePlace {
  readonly directory: string;
  /** The folder that the file must not leave, relative to the configuration directory, with `/`. */
  readonly folder: string;
  readonly key: string;
  /** The file may be empty and have several lines, and must be private when true. When absent, it must be private and one line. */
  readonly isPrivate?: boolean;
}

const MAX_BYTES = 64 * 1024;
const MODE_BITS = 0o777;
/** Windows reports no permissions of a group or of others. */
const HAS_MODES = process.platform !== 'win32';
const CONTROLS = /[\u0000-\u001f\u007f]/u;

const createRefusal = (
  problem: SecretFileProblem,
): { readonly ok: false; readonly problem: SecretFileProblem } => ({
  ok: false,
  problem,
});

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

const toProblem = (error: unknown, path: string): SecretFileProblem => {
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string';
  const code = isCoded ? String(error.code) : 'unknown error';
  return ABSENT.has(code)
    ? { code: 'secret.absent', path }
    : { code: 'secret.unreadable', path, error: code };
};

/** Reads at most one byte more than is allowed. */
const readBytes = async (file: FileHandle): Promise<Buffer> => {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
};

type Checks = Pick<SecretFilePlace, 'isPrivate'>;

/** Returns the text without the line end that editors and `echo` add. */
const decodeText = (bytes: Buffer, path: string, { isPrivate }: Checks): SecretFile => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/u, '');
  } catch {
    return createRefusal({ code: 'secret.text', path });
  }
  if (isPrivate !== undefined) return { ok: true, text };
  if (text === '') return createRefusal({ code: 'secret.empty', path });
  return CONTROLS.test(text) ? createRefusal({ code: 'secret.text', path }) : { ok: true, text };
};

const readOpened = async (file: FileHandle, path: string, checks: Checks): Promise<SecretFile> => {
  const facts = await file.stat();
  if (!facts.isFile()) return createRefusal({ code: 'secret.kind', path });
  if (checks.isPrivate !== false && !isPrivateFile(facts))
    return createRefusal({ code: 'secret.mode', path, mode: facts.mode & MODE_BITS });
  const bytes = await readBytes(file);
  return bytes.length > MAX_BYTES
    ? createRefusal({ code: 'secret.size', path, maxBytes: MAX_BYTES })
    : decodeText(bytes, path, checks);
};

/** Opening a named pipe would wait for its writer, and a link that appears after the check must not be followed. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Reads a regular file of at most 64 KiB. A link may lead to another file of the folder, as in volumes of Kubernetes, and to no other place. Never rejects. */
export const readSecretFile = async ({
  directory,
  folder,
  key,
  ...checks
}: SecretFilePlace): Promise<SecretFile> => {
  const path = `${folder}/${key}`;
  try {
    const root = join(await realpath(join(directory, dirname(folder))), basename(folder));
    const target = await realpath(join(root, key));
    if (!target.startsWith(root + sep)) return createRefusal({ code: 'secret.outside', path });
    const file = await open(target, HAS_MODES ? FLAGS : constants.O_RDONLY);
    try {
      return await readOpened(file, path, checks);
    } finally {
      await file.close();
    }
  } catch (error) {
    return createRefusal(toProblem(error, path));
  }
};
