/** There is no such file, or it may not be run; nobody listens, or the name or network is not known. */
const MISSING_CODES: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);

const MAX_DEPTH = 5;

/** Whether an error says that what a server needs is not there, rather than that it did not do. Causes are looked at too. */
export const isMissing = (error: unknown, depth = 0): boolean => {
  if (!(error instanceof Error) || depth >= MAX_DEPTH) return false;
  if ('code' in error && MISSING_CODES.has(error.code)) return true;
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every((one) => isMissing(one, depth + 1));
  return isMissing(error.cause, depth + 1);
};
