import { errorCodeOf } from './error-code.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'its directory does not exist'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space is left on the device'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file would be larger than this process may write'],
  ['ENAMETOOLONG', 'the name is too long for the file system'],
  ['ENOTDIR', 'its directory is not a directory'],
  // Creating the directory met a file.
  ['EEXIST', 'its directory is not a directory'],
  ['EISDIR', 'it is not a regular file'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['EIO', 'the device reports an error'],
]);

/** Returns why a file could not be written or deleted, as the end of a sentence. Never names a path. */
export const writeFailureText = (error: unknown): string => {
  const code = errorCodeOf(error);
  return REASONS.get(code) ?? code;
};
