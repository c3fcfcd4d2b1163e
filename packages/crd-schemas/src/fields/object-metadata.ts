import * as z from 'zod/mini';
import { checkMaximumLength, describeField, nameField } from './field-facts.ts';
import { DNS_LABEL, LABEL_KEY, LABEL_VALUE, RESOURCE_NAME } from './text-pattern.ts';
import { createTextField, createStringMap } from './fields.ts';
import {
  DEFAULT_NAMESPACE,
  MAX_ANNOTATION_CHARS,
  MAX_CONDITION_MESSAGE_CHARS,
  MAX_CONDITION_REASON_CHARS,
  MAX_CONDITION_TYPE_CHARS,
  MAX_CONDITIONS,
  MAX_DNS_LABEL_CHARS,
  MAX_METADATA_ENTRIES,
  MAX_SUBDOMAIN_CHARS,
  MAX_TIME_CHARS,
} from './limits.ts';

/** A standard condition, as Kubernetes writes it. Times are RFC 3339. */
export interface StatusCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  /** The `metadata.generation` that the condition is about; absent for a resource that is not in a cluster. */
  readonly observedGeneration?: number;
}

/** A time in RFC 3339. */
export const timeText = createTextField({ max: MAX_TIME_CHARS });

/** The fields of a type, complete and without others. */
export type ParsedFields<Value> = { readonly [Key in keyof Value]-?: z.ZodMiniType };

const statusCondition = nameField(
  'StatusCondition',
  z.strictObject({
    type: describeField(
      'The type of the condition.',
      createTextField({ max: MAX_CONDITION_TYPE_CHARS }),
    ),
    status: describeField('The status of the condition.', z.enum(['True', 'False', 'Unknown'])),
    reason: describeField(
      'Why, in one word.',
      createTextField({ max: MAX_CONDITION_REASON_CHARS }),
    ),
    message: describeField(
      'Why, in a sentence.',
      createTextField({ max: MAX_CONDITION_MESSAGE_CHARS }),
    ),
    lastTransitionTime: describeField('When status changed last.', timeText),
    observedGeneration: describeField(
      'The metadata.generation that the condition is about.',
      z.exactOptional(z.int().check(z.minimum(0))),
    ),
  } satisfies ParsedFields<StatusCondition>),
);

export const statusConditions = z
  .array(statusCondition)
  .check(checkMaximumLength(z.maxLength(MAX_CONDITIONS)));

const labelKey = { max: MAX_SUBDOMAIN_CHARS + 1 + MAX_DNS_LABEL_CHARS, pattern: LABEL_KEY };

const labels = createStringMap({
  key: labelKey,
  value: { max: MAX_DNS_LABEL_CHARS, pattern: LABEL_VALUE },
  maxEntries: MAX_METADATA_ENTRIES,
});

const annotations = createStringMap({
  key: labelKey,
  value: { max: MAX_ANNOTATION_CHARS },
  maxEntries: MAX_METADATA_ENTRIES,
});

const ignored = z.exactOptional(z.unknown());

/** Written by the Kubernetes API server. Accepted, so that an exported resource is a valid file, and dropped. */
const assignedByTheCluster = {
  creationTimestamp: ignored,
  deletionGracePeriodSeconds: ignored,
  deletionTimestamp: ignored,
  finalizers: ignored,
  generateName: ignored,
  generation: ignored,
  managedFields: ignored,
  ownerReferences: ignored,
  resourceVersion: ignored,
  selfLink: ignored,
  uid: ignored,
};

const namespace = createTextField({ min: 1, max: MAX_DNS_LABEL_CHARS, pattern: DNS_LABEL });

/** `metadata` of a resource. @spec §2.6 */
export const objectMetadataFields = nameField(
  'Metadata',
  z.strictObject({
    name: describeField(
      'Name of the resource; that of its file without the ending.',
      createTextField({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: RESOURCE_NAME }),
    ),
    namespace: describeField(
      'Namespace of the resource.',
      z._default(namespace, DEFAULT_NAMESPACE),
    ),
    labels: describeField('Labels, by which presets select servers.', z.exactOptional(labels)),
    annotations: describeField(
      'Notes for people and other programs.',
      z.exactOptional(annotations),
    ),
    ...assignedByTheCluster,
  }),
);

/** `metadata` of a resource, parsed. @spec §2.6 */
export interface ObjectMetadata {
  readonly name: string;
  readonly namespace: string;
  /** Without prototype; empty when the document has none. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze(
  Object.create(null) as Record<string, string>,
);

/** Returns the part of `metadata` that the gateway uses. */
export const toObjectMetadata = (fields: z.output<typeof objectMetadataFields>): ObjectMetadata =>
  Object.freeze({
    name: fields.name,
    namespace: fields.namespace,
    labels: fields.labels ?? NO_LABELS,
    ...(fields.annotations === undefined ? {} : { annotations: fields.annotations }),
  });
