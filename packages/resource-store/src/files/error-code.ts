/** The operating system's code of a failure, such as `EACCES`; the message when there is none. */
export const errorCodeOf = (error: unknown): string => {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : String(error);
};
