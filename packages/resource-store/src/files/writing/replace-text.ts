import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  readTextFileSync,
  removeStaleTemporaryFiles,
  replaceFileIfUnchanged,
} from '@gateway/files';

/** The existing text of a file, or the reason why the file has no usable text. */
export type TextBefore =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The permissions of a new file, and that a write survives a power failure. */
export const WRITE_OPTIONS = { mode: 0o666, isDurable: true } as const;

/** Another process changed or deleted the file after it was read; nothing was written. */
export const CHANGED = Symbol('changed');

/** Rejects for a read-only file. A rename does not need write permission on the file, but a read-only file must not be replaced. */
const assertWritable = async (file: string): Promise<void> => {
  await (await open(file, 'r+')).close();
};

const isStill = (before: TextBefore, file: string): boolean => {
  const now = readTextFileSync(file);
  return before.kind === 'text'
    ? now.kind === 'text' && now.text === before.text
    : now.kind === 'refused';
};

/** Replaces the text of a file that is as it was read. A link stays; its target is replaced. */
export const replaceText = async (
  file: string,
  before: TextBefore,
  text: string,
): Promise<'replaced' | typeof CHANGED> => {
  const target = await realpath(file);
  await assertWritable(target);
  await removeStaleTemporaryFiles(path.dirname(target));
  const isUnchanged = (): boolean => isStill(before, target);
  const isReplaced = await replaceFileIfUnchanged(target, text, { ...WRITE_OPTIONS, isUnchanged });
  return isReplaced ? 'replaced' : CHANGED;
};
