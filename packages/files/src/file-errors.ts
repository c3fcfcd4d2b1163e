/** Returns the operating system's error code, such as `EACCES`, or the error as text when it has none. */
export const readErrorCode = (error: unknown): string => {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : String(error);
};

/** The message for a directory, a pipe or a device in place of a file. */
export const NOT_REGULAR = 'is not a regular file';

/** Returns why a file cannot be read, as the predicate of a sentence about that file. */
export const formatReadError = (error: unknown): string => {
  const code = readErrorCode(error);
  // Opening a socket fails with ENXIO.
  if (code === 'ENXIO') return NOT_REGULAR;
  return `cannot be read: ${code === 'EACCES' || code === 'EPERM' ? 'permission denied' : code}`;
};

/** Returns an error handler that ignores one error code by returning the given value, and rethrows every other error. */
export const returnOn =
  <T>(code: string, value: T) =>
  (error: unknown): T => {
    if (readErrorCode(error) !== code) throw error;
    return value;
  };

/** Ignores that a file does not exist; rethrows every other error. */
export const ignoreMissing: (error: unknown) => undefined = returnOn('ENOENT', undefined);

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
export const formatWriteFailure = (error: unknown): string => {
  const code = readErrorCode(error);
  return REASONS.get(code) ?? code;
};
