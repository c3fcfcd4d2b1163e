import { isJsonObject, type RestrictedWrite } from '@gateway/call-contract';
import {
  SECRET_MASK,
  type SecretPlace,
  separateSecrets,
  type StoredSecret,
} from '@gateway/client-config';
import { findDestinationChange, SECRET_FIELDS } from '@gateway/crd-schemas';
import { type Mapping, mergePatch } from '@gateway/files';
import type { PatchLimits } from '../port/resource-store.ts';

interface ServerChange {
  readonly place: SecretPlace;
  /** A merge patch (RFC 7396) of `spec`. */
  readonly specPatch: Mapping;
  /** Values of the Secret that the patch refers to already. */
  readonly secrets?: readonly StoredSecret[] | undefined;
}

/** A changed server, or its problems. */
export type ChangedServer =
  | {
      readonly ok: true;
      readonly document: Mapping;
      /** The values of its Secret to write before it. */
      readonly secrets: readonly StoredSecret[];
      /** `spec` with the values as they were given; it refers only to values that were there before. */
      readonly given: Mapping;
    }
  | {
      readonly ok: false;
      readonly result: { readonly kind: 'invalid'; readonly issues: readonly string[] };
    };

const toMap = (value: unknown): Mapping => (isJsonObject(value) ? value : {});

const toNames = (list: unknown): readonly unknown[] =>
  (Array.isArray(list) ? (list as readonly unknown[]) : []).map((entry) => toMap(entry)['name']);

/** Returns the patch without masked values that are stored, and without the references to values that it gives anew or removes. */
const resolveValues = (specPatch: Mapping, before: Mapping, issues: string[]): Mapping => {
  const resolved = new Map(Object.entries(specPatch));
  for (const field of SECRET_FIELDS) {
    const given = specPatch[field];
    if (!isJsonObject(given)) continue;
    const from = `${field}From`;
    const list = Object.hasOwn(specPatch, from) ? specPatch[from] : before[from];
    const stored = new Set([...Object.keys(toMap(before[field])), ...toNames(list)]);
    const values = Object.entries(given).filter(([name, value]) => {
      if (value === SECRET_MASK && !stored.has(name))
        issues.push(`spec.${field}.${name}: is ${SECRET_MASK}, and there is no value to keep`);
      return value !== SECRET_MASK;
    });
    // The case of the names of headers is irrelevant. RFC 9110 §5.1
    const toComparable = (name: unknown): string =>
      field === 'headers' ? String(name).toLowerCase() : String(name);
    const names = new Set(values.map(([name]) => toComparable(name)));
    resolved.set(field, Object.fromEntries(values));
    if (Array.isArray(list))
      resolved.set(
        from,
        list.filter((entry) => !names.has(toComparable(toMap(entry)['name']))),
      );
  }
  return Object.fromEntries(resolved);
};

const VALUE_FIELDS = SECRET_FIELDS.flatMap((field): readonly string[] => [field, `${field}From`]);

/** Returns a document without empty maps and lists of values, which equal absent ones. */
const withoutEmptyFields = (document: Mapping): Mapping => {
  const spec = Object.entries(toMap(document['spec'])).filter(
    ([field, value]) =>
      !VALUE_FIELDS.includes(field) ||
      typeof value !== 'object' ||
      value === null ||
      Object.keys(value).length > 0,
  );
  return { ...document, spec: Object.fromEntries(spec) };
};

/** Returns a server with a patch merged into its `spec`, and with references to its Secret in place of new secrets. Pure. */
export const changeServer = (
  document: Mapping,
  { place, specPatch, secrets }: ServerChange,
): ChangedServer => {
  const before = toMap(document['spec']);
  const issues: string[] = [];
  const patch = resolveValues(specPatch, before, issues);
  const merged = withoutEmptyFields(mergePatch(document, { spec: patch }) as Mapping);
  const given = toMap(merged['spec']);
  const separated = separateSecrets({ place, before, after: given, secrets });
  if (!separated.ok) issues.push(...separated.issues);
  return separated.ok && issues.length === 0
    ? {
        ok: true,
        document: { ...merged, spec: separated.spec },
        secrets: separated.secrets,
        given,
      }
    : { ok: false, result: { kind: 'invalid', issues } };
};

/** Returns the refusal of a change that would send stored values elsewhere. */
export const findRestriction = (
  before: Mapping,
  { document, given }: Extract<ChangedServer, { ok: true }>,
  { keepsDestination }: PatchLimits,
): RestrictedWrite | undefined => {
  const field = keepsDestination
    ? findDestinationChange(before['spec'], document['spec'], given)
    : undefined;
  return field === undefined ? undefined : { kind: 'restricted', field };
};
