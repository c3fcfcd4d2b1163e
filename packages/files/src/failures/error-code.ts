/** Returns the operating system's error code, such as `EACCES`, or the error as text when it has none. */
export const errorCodeOf = (error: unknown): string => {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : String(error);
};

/** The message for a directory, a pipe or a device in place of a file. */
export const NOT_REGULAR = 'is not a regular file';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
]);

/** Returns why a file cannot be read, as the predicate of a sentence about that file. */
export const unreadableText = (error: unknown): string => {
  const code = errorCodeOf(error);
  // Opening a socket fails with ENXIO.
  return code === 'ENXIO' ? NOT_REGULAR : `cannot be read: ${REASONS.get(code) ?? code}`;
};
