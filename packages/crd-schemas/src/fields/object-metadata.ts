import * as z from 'zod/mini';
import { boundedText } from './bounded-text.ts';
import { described, named } from './field-facts.ts';
import { stringMap } from './string-map.ts';
import { DNS_LABEL, LABEL_KEY, LABEL_VALUE, RESOURCE_NAME } from './text-pattern.ts';
import {
  DEFAULT_NAMESPACE,
  MAX_ANNOTATION_CHARS,
  MAX_DNS_LABEL_CHARS,
  MAX_METADATA_ENTRIES,
  MAX_SUBDOMAIN_CHARS,
} from '../resource/limits.ts';

const labelKey = { max: MAX_SUBDOMAIN_CHARS + 1 + MAX_DNS_LABEL_CHARS, pattern: LABEL_KEY };

const labels = stringMap({
  key: labelKey,
  value: { max: MAX_DNS_LABEL_CHARS, pattern: LABEL_VALUE },
  maxEntries: MAX_METADATA_ENTRIES,
});

const annotations = stringMap({
  key: labelKey,
  value: { max: MAX_ANNOTATION_CHARS },
  maxEntries: MAX_METADATA_ENTRIES,
});

/** Written by the Kubernetes API server. Accepted, so that an exported resource is a valid file, and dropped. */
const assignedByTheCluster = {
  creationTimestamp: z.exactOptional(z.unknown()),
  deletionGracePeriodSeconds: z.exactOptional(z.unknown()),
  deletionTimestamp: z.exactOptional(z.unknown()),
  finalizers: z.exactOptional(z.unknown()),
  generateName: z.exactOptional(z.unknown()),
  generation: z.exactOptional(z.unknown()),
  managedFields: z.exactOptional(z.unknown()),
  ownerReferences: z.exactOptional(z.unknown()),
  resourceVersion: z.exactOptional(z.unknown()),
  selfLink: z.exactOptional(z.unknown()),
  uid: z.exactOptional(z.unknown()),
};

const namespace = boundedText({ min: 1, max: MAX_DNS_LABEL_CHARS, pattern: DNS_LABEL });

/** `metadata` of a resource. @spec §2.6 */
export const objectMetadataFields = named(
  'Metadata',
  z.strictObject({
    name: described(
      'Name of the resource; that of its file without the ending.',
      boundedText({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: RESOURCE_NAME }),
    ),
    namespace: described('Namespace of the resource.', z._default(namespace, DEFAULT_NAMESPACE)),
    labels: described('Labels, by which presets select servers.', z.exactOptional(labels)),
    annotations: described('Notes for people and other programs.', z.exactOptional(annotations)),
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
export const objectMetadataOf = (fields: z.output<typeof objectMetadataFields>): ObjectMetadata =>
  Object.freeze({
    name: fields.name,
    namespace: fields.namespace,
    labels: fields.labels ?? NO_LABELS,
    ...(fields.annotations === undefined ? {} : { annotations: fields.annotations }),
  });
