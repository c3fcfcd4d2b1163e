import type * as z from 'zod/mini';
import { SECRET_FIELDS } from '../documents/field-lists.ts';
import { MAX_ISSUES, MAX_PROBLEM_CHARS } from './limits.ts';

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
const shortenText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(TORN, '')}${ELLIPSIS}`;

export const shortenProblem = (text: string): string => shortenText(text, MAX_PROBLEM_CHARS);

/** Fields whose keys and values may be secrets, so that the keys are not shown. */
const SECRET_MAPS: ReadonlySet<string | number> = new Set(SECRET_FIELDS);

const formatKey = (key: string): string =>
  JSON.stringify(key.length > LONGEST_SHOWN_KEY ? `${key.slice(0, LONGEST_SHOWN_KEY)}...` : key);

const formatSegment = (segment: string | number, index: number): string => {
  if (typeof segment === 'number') return `[${String(segment)}]`;
  if (!PLAIN_KEY.test(segment)) return `[${formatKey(segment)}]`;
  return index === 0 ? segment : `.${segment}`;
};

/**
 * Returns the path as people write it: `spec.args[0]`, `metadata.labels["a/b"]`. Empty for the document itself. Keys of `env` and
 * `headers` are not shown: `spec.env[*]`.
 */
export const formatPath = (path: ValidationIssue['path']): string => {
  const end = path.findIndex((segment) => SECRET_MAPS.has(segment)) + 1;
  return end === 0 || typeof path[end] !== 'string'
    ? path.map(formatSegment).join('')
    : `${path.slice(0, end).map(formatSegment).join('')}[*]`;
};

/**
 * Returns an issue as one line of at most 300 characters, whose path is shortened before its message: `spec.command: command is required
 * when type is stdio`. @spec §7.6
 */
export const formatError = ({ path, message }: ValidationIssue): string => {
  const text = shortenProblem(message);
  const room = MAX_PROBLEM_CHARS - text.length - 2;
  return path.length === 0 || room < 1 ? text : `${shortenText(formatPath(path), room)}: ${text}`;
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

/** Returns whether a value is a mapping of a document: neither null nor a list. */
export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const KIND_NAMES = {
  array: 'a list',
  bigint: 'a number',
  boolean: 'a boolean',
  function: 'a function',
  number: 'a number',
  object: 'a mapping',
  string: 'a string',
  symbol: 'a symbol',
  undefined: 'nothing',
} as const;

/** Returns the kind of a value for a message. The value itself may be a secret and is never shown. */
export const formatValueKind = (value: unknown): string => {
  if (value === null) return 'null';
  return KIND_NAMES[Array.isArray(value) ? 'array' : typeof value];
};

/** Returns the name of a type of JSON for a message. */
export const formatType = (type: keyof typeof KIND_NAMES | 'integer'): string =>
  type === 'integer' ? 'an integer' : KIND_NAMES[type];

/** Reports the issues of a value to zod. */
export const pushIssues = (
  { issues }: z.core.ParsePayload,
  input: unknown,
  found: readonly ValidationIssue[],
): void => {
  for (const { path, message } of found) {
    issues.push({ code: 'custom', input, path: [...path], message });
  }
};

type Path = ValidationIssue['path'];

/** The message of a field that the resource does not have. */
export const UNKNOWN_FIELD = 'unknown field';

// Every number of the resources is an integer, which zod reports as a number.
const formatExpected = (expected: string): string =>
  expected === 'number'
    ? formatType('integer')
    : ((KIND_NAMES as Readonly<Record<string, string>>)[expected] ?? expected);

/** Returns the value at a path of the document, or undefined. */
const readValue = (document: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => readOwnMember(value, key), document);

const formatRequirement = (path: Path): string => {
  const key = path.at(-1);
  return typeof key === 'string' ? `${key} is required` : 'must have a value';
};

const describeType = (expected: string, value: unknown): string => {
  const noun = formatExpected(expected);
  return noun === 'an integer' && typeof value === 'number'
    ? `must be ${noun}`
    : `must be ${noun}, not ${formatValueKind(value)}`;
};

type Issue = z.core.$ZodIssue;
type IssueByCode<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

const readMessage = (issue: { readonly message: string }): string => issue.message;

const texts: {
  readonly [Code in Issue['code']]: (
    issue: IssueByCode<Code>,
    value: unknown,
    path: Path,
  ) => string;
} = {
  invalid_type: ({ expected }, value, path) =>
    value === undefined ? formatRequirement(path) : describeType(expected, value),
  invalid_value: ({ values }, value, path) =>
    value === undefined
      ? formatRequirement(path)
      : `must be one of ${values.map(String).join(', ')}`,
  too_small: ({ minimum }) => `must be at least ${String(minimum)}`,
  // Only lists have a maximum of zod.
  too_big: ({ maximum }) => `must have at most ${String(maximum)} entries`,
  unrecognized_keys: () => UNKNOWN_FIELD,
  custom: readMessage,
  invalid_element: readMessage,
  invalid_format: readMessage,
  invalid_key: readMessage,
  invalid_union: readMessage,
  not_multiple_of: readMessage,
};

const formatMessage = <Code extends Issue['code']>(
  issue: IssueByCode<Code> & { readonly code: Code },
  value: unknown,
  path: Path,
): string => texts[issue.code](issue, value, path);

const encodePath = ({ path }: ValidationIssue): string => JSON.stringify(path);

/**
 * Returns the issues of fields and of the rules between fields. A field that is null and that a rule requires has the issue of the rule
 * only, as in the API server, which removes null from documents.
 */
export const mergeRuleIssues = (
  ofFields: readonly ValidationIssue[],
  {
    ofRules,
    document,
  }: { readonly ofRules: readonly ValidationIssue[]; readonly document: unknown },
): readonly ValidationIssue[] => {
  const required = new Set(ofRules.map(encodePath));
  const isRepeated = (issue: ValidationIssue): boolean =>
    readValue(document, issue.path) === null && required.has(encodePath(issue));
  return [...ofFields.filter((issue) => !isRepeated(issue)), ...ofRules];
};

/** Returns the issues of zod as validation issues: one per problem, one per unknown key, at most 20 of each. */
export const listZodIssues = (
  error: z.core.$ZodError,
  document: unknown,
): readonly ValidationIssue[] =>
  error.issues.slice(0, MAX_ISSUES).flatMap((issue): ValidationIssue[] => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code === 'unrecognized_keys') {
      const message = formatMessage(issue, undefined, path);
      return issue.keys.slice(0, MAX_ISSUES).map((key) => ({ path: [...path, key], message }));
    }
    return [{ path, message: formatMessage(issue, readValue(document, path), path) }];
  });
