import type * as z from 'zod/mini';
import { MAX_ISSUES } from './limits.ts';
import { readOwnMember, type ValidationIssue } from './validation-issue.ts';

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

const nouns: Readonly<Record<string, string>> = {
  ...KIND_NAMES,
  int: 'an integer',
  // Every number of the resources is an integer, which zod reports as a number.
  number: 'an integer',
};

/** Returns the value at a path of the document, or undefined. */
const valueAt = (document: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => readOwnMember(value, key), document);

const requiredText = (path: Path): string => {
  const key = path.at(-1);
  return typeof key === 'string' ? `${key} is required` : 'must have a value';
};

const typeText = (expected: string, value: unknown): string => {
  const noun = nouns[expected] ?? expected;
  return noun === 'an integer' && typeof value === 'number'
    ? `must be ${noun}`
    : `must be ${noun}, not ${formatValueKind(value)}`;
};

const sizeText = (origin: string, bound: string): string =>
  origin === 'array' ? `must have at ${bound} entries` : `must be at ${bound}`;

type Issue = z.core.$ZodIssue;
type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

const ownText = (issue: { readonly message: string }): string => issue.message;

const texts: {
  readonly [Code in Issue['code']]: (issue: IssueOf<Code>, value: unknown, path: Path) => string;
} = {
  invalid_type: ({ expected }, value, path) =>
    value === undefined ? requiredText(path) : typeText(expected, value),
  invalid_value: ({ values }, value, path) =>
    value === undefined ? requiredText(path) : `must be one of ${values.map(String).join(', ')}`,
  too_small: ({ origin, minimum }) => sizeText(origin, `least ${String(minimum)}`),
  too_big: ({ origin, maximum }) => sizeText(origin, `most ${String(maximum)}`),
  unrecognized_keys: () => UNKNOWN_FIELD,
  custom: ownText,
  invalid_element: ownText,
  invalid_format: ownText,
  invalid_key: ownText,
  invalid_union: ownText,
  not_multiple_of: ownText,
};

const messageOf = <Code extends Issue['code']>(
  issue: IssueOf<Code> & { readonly code: Code },
  value: unknown,
  path: Path,
): string => texts[issue.code](issue, value, path);

const textOfPath = ({ path }: ValidationIssue): string => JSON.stringify(path);

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
  const required = new Set(ofRules.map(textOfPath));
  const isRepeated = (issue: ValidationIssue): boolean =>
    valueAt(document, issue.path) === null && required.has(textOfPath(issue));
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
      const message = messageOf(issue, undefined, path);
      return issue.keys.slice(0, MAX_ISSUES).map((key) => ({ path: [...path, key], message }));
    }
    return [{ path, message: messageOf(issue, valueAt(document, path), path) }];
  });
