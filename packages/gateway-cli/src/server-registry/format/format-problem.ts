import type * as z from 'zod/mini';

type Path = readonly PropertyKey[];

/** A place of a document, and the rule that it breaks. */
export interface FormatProblem {
  /** For example `packages[0].identifier`; empty for the whole document. */
  readonly place: string;
  /** For example `must be a text`. */
  readonly rule: string;
}

const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,60}$/u;
const MAX_KEY_CHARS = 60;

const keyText = (key: PropertyKey): string => {
  if (typeof key === 'number') return `[${String(key)}]`;
  const text = String(key);
  return PLAIN_KEY.test(text) ? `.${text}` : `[${JSON.stringify(text.slice(0, MAX_KEY_CHARS))}]`;
};

/** Returns a path as people write it. */
const placeText = (path: Path): string => path.map(keyText).join('').replace(/^\./u, '');

const valueAt = (document: unknown, path: Path): unknown => {
  let value = document;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return value;
};

const NOUNS: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['string', 'a text'],
]);

const sizeRule = (origin: string, bound: string): string =>
  origin === 'array' ? `must have at ${bound} entries` : `must have at ${bound} characters`;

type Issue = z.core.$ZodIssue;
type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

const ownText = ({ message }: { readonly message: string }): string => message;

const RULES: {
  readonly [Code in Issue['code']]: (issue: IssueOf<Code>, value: unknown) => string;
} = {
  invalid_type: ({ expected }, value) =>
    value === undefined ? 'is missing' : `must be ${NOUNS.get(expected) ?? expected}`,
  invalid_value: ({ values }, value) =>
    value === undefined ? 'is missing' : `must be one of ${values.map(String).join(', ')}`,
  too_big: ({ origin, maximum }) => sizeRule(origin, `most ${String(maximum)}`),
  too_small: ({ origin, minimum }) => sizeRule(origin, `least ${String(minimum)}`),
  invalid_union: () => 'must be positional or named',
  invalid_key: () => 'is not a possible name',
  custom: ownText,
  invalid_format: ownText,
  invalid_element: ownText,
  not_multiple_of: ownText,
  unrecognized_keys: ownText,
};

const ruleOf = <Code extends Issue['code']>(
  issue: IssueOf<Code> & { readonly code: Code },
  value: unknown,
): string => RULES[issue.code](issue, value);

/** Returns the first problem that a schema found in a document. */
export const firstProblem = (document: unknown, error: z.core.$ZodError): FormatProblem => {
  const issue = error.issues[0];
  if (issue === undefined) return { place: '', rule: 'is not valid' };
  return { place: placeText(issue.path), rule: ruleOf(issue, valueAt(document, issue.path)) };
};

/** Returns a problem as a sentence without its subject: `packages[0].identifier is missing`. */
export const formatProblemText = ({ place, rule }: FormatProblem): string =>
  place === '' ? rule : `${place} ${rule}`;
