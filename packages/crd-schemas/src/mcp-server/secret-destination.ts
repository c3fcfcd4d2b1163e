import { placeholdersIn } from './placeholder.ts';

/** Fields of `spec` that do not decide where the values of a server are sent. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  'autoStart',
  'description',
  'family',
  'instances',
  'protocol',
  'startTimeout',
  'timeout',
  'toolPrefix',
]);

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

/** Returns the field of an unparsed `spec`, or of a patch of one, that names a Secret or ConfigMap; `undefined` when none does. */
export const secretReferenceIn = (spec: unknown): string | undefined => {
  const auth = memberOf(spec, 'auth');
  const fields: readonly (readonly [string, unknown])[] = [
    ['envFrom', memberOf(spec, 'envFrom')],
    ['headersFrom', memberOf(spec, 'headersFrom')],
    ...['tokenExchange', 'authorizationServer'].map(
      (part) =>
        [
          `auth.${part}.clientCredentialsSecretRef`,
          memberOf(memberOf(auth, part), 'clientCredentialsSecretRef'),
        ] as const,
    ),
  ];
  return fields.find(([, value]) => value !== undefined && value !== null)?.[0];
};

/** Returns whether a text of an unparsed definition has a placeholder. A definition that is too deep for one is not valid. */
const hasPlaceholder = (value: unknown): boolean => {
  if (typeof value === 'string') return placeholdersIn(value).length > 0;
  return (
    typeof value === 'object' && value !== null && Object.values(value).some(isPlaceholderText)
  );
};

const isPlaceholderText = (value: unknown): boolean =>
  typeof value === 'string' && placeholdersIn(value).length > 0;

/** Returns the field of an unparsed `spec`, or of a patch of one, that has a placeholder of a variable or file; `undefined` when none does. */
export const placeholderFieldIn = (spec: unknown): string | undefined =>
  ['env', 'args', 'headers', 'url'].find((field) => hasPlaceholder(memberOf(spec, field)));

const isReferring = (spec: unknown): boolean =>
  (secretReferenceIn(spec) ?? placeholderFieldIn(spec)) !== undefined;

const fieldNames = (spec: unknown): readonly string[] =>
  typeof spec === 'object' && spec !== null ? Object.keys(spec) : [];

/** Compares plain data. The order of the keys of an object is irrelevant. */
const isEqual = (left: unknown, right: unknown): boolean => {
  if (Object.is(left, right)) return true;
  const areObjects = [left, right].every((side) => typeof side === 'object' && side !== null);
  if (!areObjects || Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = fieldNames(left);
  return (
    keys.length === fieldNames(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right as object, key) && isEqual(memberOf(left, key), memberOf(right, key)),
    )
  );
};

/**
 * Returns the field whose change may send values of Secrets, ConfigMaps, variables or files elsewhere: one of them names such values before or
 * after the change. Both are unparsed `spec`s, valid or not.
 */
export const changedDestination = (before: unknown, after: unknown): string | undefined => {
  if (!isReferring(before) && !isReferring(after)) return undefined;
  return [...new Set([...fieldNames(after), ...fieldNames(before)])].find(
    (field) =>
      !OTHER_FIELDS.has(field) && !isEqual(memberOf(before, field), memberOf(after, field)),
  );
};
