/** The operating system's code of a failure, such as `EACCES`; the message when there is none. */
export const errorCodeOf = (error: unknown): string => {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : String(error);
};

/** What is said of a directory, a pipe or a device in the place of a file. */
export const NOT_REGULAR = 'is not a regular file';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
]);

/** Why a failure keeps a file from being used, as the end of a sentence about that file. */
export const unreadableText = (error: unknown): string => {
  const code = errorCodeOf(error);
  // Opening a socket fails with it.
  return code === 'ENXIO' ? NOT_REGULAR : `cannot be read: ${REASONS.get(code) ?? code}`;
};
