import { isDeepStrictEqual } from 'node:util';
import { isMapping, type Mapping } from '@gateway/files';
import { fieldsOf } from '@gateway/kube-client';

/** The fields that a manager owns, as the API writes them: `{"f:spec": {"f:url": {}}}`. */
type FieldSet = Readonly<Record<string, unknown>>;

const memberOf = (set: FieldSet | undefined, key: string): FieldSet | undefined => {
  const name = `f:${key}`;
  return set !== undefined && Object.hasOwn(set, name) ? fieldsOf(set[name]) : undefined;
};

const isOfSpec = (entry: Readonly<Record<string, unknown>>): boolean =>
  entry['subresource'] === undefined;

const entriesOf = (metadata: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const { managedFields } = fieldsOf(metadata);
  return Array.isArray(managedFields) ? managedFields.map(fieldsOf).filter(isOfSpec) : [];
};

/** Returns the fields that a manager has applied. */
export const appliedFields = (metadata: unknown, manager: string): FieldSet =>
  fieldsOf(
    entriesOf(metadata).find(
      (entry) => entry['manager'] === manager && entry['operation'] === 'Apply',
    )?.['fieldsV1'],
  );

/** Returns another manager that owns the field at this path. */
export const otherOwner = (
  metadata: unknown,
  path: readonly string[],
  manager: string,
): string | undefined =>
  entriesOf(metadata)
    .filter((entry) => entry['manager'] !== manager || entry['operation'] !== 'Apply')
    .filter((entry) => {
      const owned: FieldSet | undefined = path.reduce<FieldSet | undefined>(
        memberOf,
        fieldsOf(entry['fieldsV1']),
      );
      return owned !== undefined;
    })
    .map((entry) => String(entry['manager']))
    .at(0);

/** A value before and after a change, and the owned fields in it. */
interface Change {
  readonly before: unknown;
  readonly after: unknown;
  readonly owned: FieldSet | undefined;
}

/** Returns the part of a value to apply: what the manager owns already, and what changes. Undefined for none. Lists are whole. */
const appliedPart = ({ before, after, owned }: Change): unknown => {
  if (!isMapping(after) || (!isMapping(before) && before !== undefined))
    return owned !== undefined || !isDeepStrictEqual(before, after) ? after : undefined;
  const parts = Object.entries(after).flatMap(([key, value]) => {
    const known = isMapping(before) && Object.hasOwn(before, key) ? before[key] : undefined;
    const part = appliedPart({ before: known, after: value, owned: memberOf(owned, key) });
    return part === undefined ? [] : [[key, part] as const];
  });
  if (parts.length > 0) return Object.fromEntries(parts);
  return before === undefined ? {} : undefined;
};

/** Returns the fields of a document to apply, without the identity of the object. */
export const fieldsToApply = (
  { before, after }: { readonly before: Mapping; readonly after: Mapping },
  owned: FieldSet,
): Mapping => {
  const partOf = (key: string): unknown =>
    appliedPart({ before: before[key], after: after[key], owned: memberOf(owned, key) });
  const labelled = (key: string): unknown =>
    appliedPart({
      before: fieldsOf(before['metadata'])[key],
      after: fieldsOf(after['metadata'])[key] ?? {},
      owned: memberOf(memberOf(owned, 'metadata'), key),
    });
  const metadata = Object.fromEntries(
    ['labels', 'annotations'].flatMap((key) => {
      const part = labelled(key);
      return isMapping(part) && Object.keys(part).length > 0 ? [[key, part]] : [];
    }),
  );
  const spec = partOf('spec');
  return { metadata, ...(spec === undefined ? {} : { spec }) };
};

/** Returns the paths that a value has before a change and no longer after it. */
export const removedPaths = (
  before: unknown,
  after: unknown,
  path: readonly string[],
): readonly (readonly string[])[] => {
  if (!isMapping(before) || !isMapping(after)) return [];
  return Object.entries(before).flatMap(([key, value]) =>
    Object.hasOwn(after, key) ? removedPaths(value, after[key], [...path, key]) : [[...path, key]],
  );
};
