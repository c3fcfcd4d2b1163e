import { isJsonObject, type RestrictedWrite } from '@gateway/call-contract';
import {
  type SecretPlace,
  extractSecrets,
  type StoredSecret,
  withoutOwnReferences,
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
      readonly place: SecretPlace;
    }
  | {
      readonly ok: false;
      readonly result: { readonly kind: 'invalid'; readonly issues: readonly string[] };
    };

const toMap = (value: unknown): Mapping => (isJsonObject(value) ? value : {});

const VALUE_FIELDS = SECRET_FIELDS.flatMap((field): readonly string[] => [field, `${field}From`]);

/** Merges a patch into the `spec` of a document. Empty maps and lists of values equal absent ones. */
const mergeSpec = (document: Mapping, patch: Mapping): Mapping => {
  const merged = mergePatch(document, { spec: patch }) as Mapping;
  const spec = Object.entries(toMap(merged['spec'])).filter(
    ([field, value]) =>
      !VALUE_FIELDS.includes(field) ||
      typeof value !== 'object' ||
      value === null ||
      Object.keys(value).length > 0,
  );
  return { ...merged, spec: Object.fromEntries(spec) };
};

/** Returns a server with a patch merged into its `spec`, and with references to its Secret in place of new secrets. Pure. */
export const changeServer = (
  document: Mapping,
  { place, specPatch, secrets }: ServerChange,
): ChangedServer => {
  const before = toMap(document['spec']);
  const extracted = extractSecrets({ place, before, change: specPatch, secrets });
  if (!extracted.ok) return { ok: false, result: { kind: 'invalid', issues: extracted.issues } };
  const { change, given } = extracted;
  return {
    ok: true,
    place,
    document: mergeSpec(document, change),
    secrets: extracted.secrets,
    given: toMap(mergeSpec(document, given)['spec']),
  };
};

const withoutValues = (spec: Mapping): Mapping =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !VALUE_FIELDS.includes(field)));

/**
 * Returns the refusal of a change that would send stored values elsewhere. Variables and headers may change next to values of the Secret of the
 * server itself.
 */
export const findRestriction = (
  { spec }: Mapping,
  { document, given, place }: Extract<ChangedServer, { ok: true }>,
  { keepsDestination }: PatchLimits,
): RestrictedWrite | undefined => {
  if (!keepsDestination) return undefined;
  const [before, after] = [toMap(spec), toMap(document['spec'])];
  const field =
    findDestinationChange(before, after, withoutOwnReferences(given, place)) ??
    findDestinationChange(withoutValues(before), withoutValues(after), given);
  return field === undefined ? undefined : { kind: 'restricted', field };
};
