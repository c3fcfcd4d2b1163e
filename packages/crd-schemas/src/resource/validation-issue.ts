/** A problem of a document. `path` leads from the root of the document to the value. @spec §7.6 */
export interface ValidationIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const PLAIN_KEY = /^[A-Za-z0-9_-]{1,128}$/;
const LONGEST_SHOWN_KEY = 128;

const shownKey = (key: string): string =>
  JSON.stringify(key.length > LONGEST_SHOWN_KEY ? `${key.slice(0, LONGEST_SHOWN_KEY)}...` : key);

const segmentText = (segment: string | number, index: number): string => {
  if (typeof segment === 'number') return `[${String(segment)}]`;
  if (!PLAIN_KEY.test(segment)) return `[${shownKey(segment)}]`;
  return index === 0 ? segment : `.${segment}`;
};

/** Returns the path as people write it: `spec.args[0]`, `metadata.labels["a/b"]`. Empty for the document itself. */
export const issuePathText = (path: ValidationIssue['path']): string =>
  path.map(segmentText).join('');

/** Returns an issue as one line: `spec.command: command is required when type is stdio`. @spec §7.6 */
export const validationIssueText = ({ path, message }: ValidationIssue): string =>
  path.length === 0 ? message : `${issuePathText(path)}: ${message}`;
