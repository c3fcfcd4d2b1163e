import { SECRET_FIELDS } from '../documents/field-lists.ts';
import { MAX_PROBLEM_CHARS } from './limits.ts';

/** A problem of a document. `path` leads from the root of the document to the value. @spec §7.6 */
export interface ValidationIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const PLAIN_KEY = /^[A-Za-z0-9_-]{1,128}$/;
const LONGEST_SHOWN_KEY = 128;
const ELLIPSIS = '…';
/** One half of a surrogate pair that truncation split. */
const TORN = /[\ud800-\udbff]$/;

/** Returns a text of at most `max` UTF-16 units; a longer one ends with an ellipsis. */
const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(TORN, '')}${ELLIPSIS}`;

export const shortenProblem = (text: string): string => shortened(text, MAX_PROBLEM_CHARS);

/** Fields whose keys and values may be secrets, so that the keys are not shown. */
const SECRET_MAPS: ReadonlySet<string | number> = new Set(SECRET_FIELDS);

const shownKey = (key: string): string =>
  JSON.stringify(key.length > LONGEST_SHOWN_KEY ? `${key.slice(0, LONGEST_SHOWN_KEY)}...` : key);

const segmentText = (segment: string | number, index: number): string => {
  if (typeof segment === 'number') return `[${String(segment)}]`;
  if (!PLAIN_KEY.test(segment)) return `[${shownKey(segment)}]`;
  return index === 0 ? segment : `.${segment}`;
};

/**
 * Returns the path as people write it: `spec.args[0]`, `metadata.labels["a/b"]`. Empty for the document itself. Keys of `env` and
 * `headers` are not shown: `spec.env[*]`.
 */
export const formatPath = (path: ValidationIssue['path']): string => {
  const end = path.findIndex((segment) => SECRET_MAPS.has(segment)) + 1;
  return end === 0 || typeof path[end] !== 'string'
    ? path.map(segmentText).join('')
    : `${path.slice(0, end).map(segmentText).join('')}[*]`;
};

/**
 * Returns an issue as one line of at most 300 characters, whose path is shortened before its message: `spec.command: command is required
 * when type is stdio`. @spec §7.6
 */
export const formatError = ({ path, message }: ValidationIssue): string => {
  const text = shortenProblem(message);
  const room = MAX_PROBLEM_CHARS - text.length - 2;
  return path.length === 0 || room < 1 ? text : `${shortened(formatPath(path), room)}: ${text}`;
};

/** Returns the value of one of the document's own keys, or undefined. */
export const readOwnMember = (document: unknown, key: string | number): unknown =>
  typeof document === 'object' && document !== null && Object.hasOwn(document, key)
    ? (document as Readonly<Record<string | number, unknown>>)[key]
    : undefined;

/**
 * Returns the issues of a wrong `apiVersion` or `kind`; a value that is not a string is reported with the other types. @spec
 * §9.1
 */
export const validateIdentity = (
  document: unknown,
  expected: { readonly apiVersion: string; readonly kind: string },
): readonly ValidationIssue[] =>
  (['apiVersion', 'kind'] as const)
    .filter((key) => {
      const value = readOwnMember(document, key);
      return typeof value === 'string' && value !== expected[key];
    })
    .map((key) => ({ path: [key], message: `must be ${expected[key]}` }));

/** The API group of the custom resources unless configuration overrides it. @spec §1.5, §9.1 */
export const DEFAULT_API_GROUP = 'gateway.internal';

/** The domain of the platform's labels unless configuration overrides it. @spec §2.3 */
export const DEFAULT_LABEL_DOMAIN = 'gateway.internal';

/** The one served version of both custom resources. @spec §9.1 */
export const API_VERSION = 'v1alpha1';

/** Returns the `apiVersion` of resources in a group: `<group>/v1alpha1`. @spec §2.6, §9.1 */
export const formatApiVersion = (apiGroup: string = DEFAULT_API_GROUP): string =>
  `${apiGroup}/${API_VERSION}`;
