/** The kinds of storage errors. */
export type StorageProblem = 'list' | 'read' | 'write' | 'remove' | 'broken';

const sentences: Readonly<Record<StorageProblem, string>> = {
  list: 'Stored records of workflow executions cannot be listed',
  read: 'Stored records of workflow executions cannot be read',
  write: 'Records of workflow executions cannot be stored and are kept in memory',
  remove: 'Stored records of workflow executions cannot be removed',
  broken:
    'An object among the stored records of workflow executions is not a valid record and is ignored',
};

const MAX_REASON_CHARS = 300;

/** Returns the first line of an error, shortened. */
export const reasonOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MAX_REASON_CHARS);
};

/** Warns once of each kind of problem: a full disk would otherwise fill the log as well. */
export const storageWarnings = (
  warn: (text: string) => void,
): ((kind: StorageProblem, what: string) => void) => {
  const warned = new Set<StorageProblem>();
  return (kind, what) => {
    if (warned.has(kind)) return;
    warned.add(kind);
    warn(`${sentences[kind]}: ${what}`);
  };
};
