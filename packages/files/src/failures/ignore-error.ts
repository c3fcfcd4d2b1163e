import { errorCodeOf } from './error-code.ts';

/** Returns an error handler that ignores one error code by returning the given value, and rethrows every other error. */
export const returnOn =
  <T>(code: string, value: T) =>
  (error: unknown): T => {
    if (errorCodeOf(error) !== code) throw error;
    return value;
  };

/** Ignores that a file does not exist; rethrows every other error. */
export const ignoreMissing: (error: unknown) => undefined = returnOn('ENOENT', undefined);
