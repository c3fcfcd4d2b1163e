const reasonOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const isDamage = error instanceof SyntaxError || 'code' in error;
  if (!isDamage || ('code' in error && error.code !== 'MODULE_NOT_FOUND')) return undefined;
  return error.message.split('\n', 1)[0];
};

const damaged = (file: string, reason: string, options?: ErrorOptions): Error =>
  new Error(`${file} is damaged (${reason}): install or build the program again`, options);

/**
 * Returns what a file of a program exports.
 *
 * @throws an error that names the file and the remedy when it is empty, no program, or misses a file; otherwise what the file throws
 */
export const orDamage = (file: string, load: () => unknown): unknown => {
  let exported: unknown;
  try {
    exported = load();
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : damaged(file, reason, { cause: error });
  }
  if (typeof exported === 'object' && exported !== null && Object.keys(exported).length === 0)
    throw damaged(file, 'it has no content');
  return exported;
};
