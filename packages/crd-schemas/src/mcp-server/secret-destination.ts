import { readOwnMember } from '../fields/validation-issue.ts';
import { NEUTRAL_FIELDS, PLACEHOLDER_FIELDS } from '../documents/field-lists.ts';
import { listPlaceholders } from './mcp-server.ts';

const NEUTRAL: ReadonlySet<string> = new Set(NEUTRAL_FIELDS);

const listEntries = (list: unknown): readonly unknown[] =>
  Array.isArray(list) ? (list as readonly unknown[]) : [];

/** Returns the field of an unparsed `spec`, or of a patch of one, that names a Secret or ConfigMap; `undefined` when none does. */
export const findSecretReference = (spec: unknown): string | undefined => {
  const auth = readOwnMember(spec, 'auth');
  const fields: readonly (readonly [string, unknown])[] = [
    ['envFrom', readOwnMember(spec, 'envFrom')],
    ['headersFrom', readOwnMember(spec, 'headersFrom')],
    ...listEntries(readOwnMember(spec, 'tools')).map(
      (rule, at) =>
        [`tools[${String(at)}].defaultsFrom`, readOwnMember(rule, 'defaultsFrom')] as const,
    ),
    ...['tokenExchange', 'authorizationServer'].map(
      (part) =>
        [
          `auth.${part}.clientCredentialsSecretRef`,
          readOwnMember(readOwnMember(auth, part), 'clientCredentialsSecretRef'),
        ] as const,
    ),
  ];
  return fields.find(([, value]) => value !== undefined && value !== null)?.[0];
};

/** Returns whether a text of an unparsed definition has a placeholder. A definition that is too deep for one is not valid. */
const hasPlaceholder = (value: unknown): boolean => {
  if (typeof value === 'string') return listPlaceholders(value).length > 0;
  return (
    typeof value === 'object' && value !== null && Object.values(value).some(isPlaceholderText)
  );
};

const isPlaceholderText = (value: unknown): boolean =>
  typeof value === 'string' && listPlaceholders(value).length > 0;

/** Returns the field of an unparsed `spec`, or of a patch of one, that has a placeholder of a variable or file; `undefined` when none does. */
export const findPlaceholderField = (spec: unknown): string | undefined =>
  PLACEHOLDER_FIELDS.find((field) => hasPlaceholder(readOwnMember(spec, field)));

const isReferring = (spec: unknown): boolean =>
  (findSecretReference(spec) ?? findPlaceholderField(spec)) !== undefined;

const listFieldNames = (spec: unknown): readonly string[] =>
  typeof spec === 'object' && spec !== null ? Object.keys(spec) : [];

/** Compares plain data. The order of the keys of an object is irrelevant. */
const isEqual = (left: unknown, right: unknown): boolean => {
  if (Object.is(left, right)) return true;
  const areObjects = [left, right].every((side) => typeof side === 'object' && side !== null);
  if (!areObjects || Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = listFieldNames(left);
  return (
    keys.length === listFieldNames(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right as object, key) &&
        isEqual(readOwnMember(left, key), readOwnMember(right, key)),
    )
  );
};

/**
 * Returns the field whose change may send values of Secrets, ConfigMaps, variables or files elsewhere. All are unparsed `spec`s, valid or not.
 *
 * @param given `after` with the values that the change contains itself, which it may send anywhere, in place of references to them
 */
export const findDestinationChange = (
  before: unknown,
  after: unknown,
  given: unknown = after,
): string | undefined => {
  if (!isReferring(given)) return undefined;
  return [...new Set([...listFieldNames(after), ...listFieldNames(before)])].find(
    (field) =>
      !NEUTRAL.has(field) && !isEqual(readOwnMember(before, field), readOwnMember(after, field)),
  );
};

/** A value of a server that a change leaves as it is, although the server is another one then. */
export interface MisdirectedValue {
  readonly field: 'headers' | 'headersFrom' | 'env' | 'envFrom';
  readonly name: string;
  /** The origin or the command that has the value. */
  readonly from: string;
  /** The origin or the command that would receive it. */
  readonly to: string;
}

/** Returns the origin of an address. One with placeholders in its host is compared as it is written. */
const readOrigin = (url: string): string => {
  const { origin = 'null', href = url } = URL.canParse(url) ? new URL(url) : {};
  return origin === 'null' ? href : origin;
};

const listNames = (list: unknown): readonly string[] =>
  listEntries(list).flatMap((entry) => {
    const name = readOwnMember(entry, 'name');
    return typeof name === 'string' ? [name] : [];
  });

/** The fields with the receiver of their values, and its comparison. */
const RECEIVERS = [
  { receiver: 'url', map: 'headers', list: 'headersFrom', destinationOf: readOrigin },
  { receiver: 'command', map: 'env', list: 'envFrom', destinationOf: (command: string) => command },
] as const;

/**
 * Returns the values that a change of an unparsed `spec` would keep for another origin or another command. Who changes the address does
 * not see them, because they are masked, and must not receive them.
 *
 * @param change the changed fields; a `null` removes one
 */
const findMisdirectedValues = (before: unknown, change: unknown): readonly MisdirectedValue[] =>
  RECEIVERS.flatMap(({ receiver, map, list, destinationOf }) => {
    const [old, next] = [readOwnMember(before, receiver), readOwnMember(change, receiver)];
    if (typeof next !== 'string') return [];
    const from = typeof old === 'string' ? destinationOf(old) : 'nothing';
    const to = destinationOf(next);
    if (from === to) return [];
    const given = new Set([
      ...listFieldNames(readOwnMember(change, map)),
      ...listNames(readOwnMember(change, list)),
    ]);
    const kept = (field: MisdirectedValue['field'], names: readonly string[]) =>
      readOwnMember(change, field) === null
        ? []
        : names.filter((name) => !given.has(name)).map((name) => ({ field, name, from, to }));
    return [
      ...kept(map, listFieldNames(readOwnMember(before, map))),
      ...kept(list, listNames(readOwnMember(before, list))),
    ];
  });

/** Returns a merge patch that also removes the values which it would send to another origin or command, and these values. */
export const removeMisdirectedValues = (
  before: unknown,
  change: Readonly<Record<string, unknown>>,
): {
  readonly change: Readonly<Record<string, unknown>>;
  readonly removed: readonly MisdirectedValue[];
} => {
  const removed = findMisdirectedValues(before, change);
  const result: Record<string, unknown> = { ...change };
  for (const { field, name } of removed)
    // A list in the change has the new references only.
    if (field === 'headersFrom' || field === 'envFrom') result[field] ??= null;
    else result[field] = { ...(result[field] as object | undefined), [name]: null };
  return { change: result, removed };
};

/** Returns the sentence about values that are removed. */
export const formatMisdirectedValues = (values: readonly MisdirectedValue[]): string => {
  const [first] = values;
  if (first === undefined) return '';
  const names = values.map(({ field, name }) => `${field}.${name}`).join(', ');
  return `Removed, because they were for ${first.from} and not for ${first.to}: ${names}. Set them again if the new server may have them.`;
};
