// Generated from the definitions of the fields by `pnpm gen`.
import type { JsonValue } from '@gateway/go-template';

/** `metadata` of a resource. */
export type MetadataDocument = {
  /** Name of the resource; that of its file without the ending. At most 253 characters. */
  readonly name: string;
  /** Namespace of the resource. At most 63 characters. Default: `"default"`. */
  readonly namespace?: string;
  /** Labels, by which presets select servers. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Notes for people and other programs. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: JsonValue;
  readonly deletionGracePeriodSeconds?: JsonValue;
  readonly deletionTimestamp?: JsonValue;
  readonly finalizers?: JsonValue;
  readonly generateName?: JsonValue;
  readonly generation?: JsonValue;
  readonly managedFields?: JsonValue;
  readonly ownerReferences?: JsonValue;
  readonly resourceVersion?: JsonValue;
  readonly selfLink?: JsonValue;
  readonly uid?: JsonValue;
};
