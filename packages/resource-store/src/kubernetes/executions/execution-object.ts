import { createHash } from 'node:crypto';
import {
  API_VERSION,
  executionSpec,
  parseExecutionRecord,
  recordOfExecution,
  WORKFLOW_EXECUTION_KIND,
  type ExecutionRecord,
} from '@gateway/crd-schemas';
import type { ApiKind, VersionedObject } from '@gateway/kube-client';

/** The gateway whose runs are stored. */
export interface ExecutionOrigin {
  readonly apiGroup: string;
  /** The namespace of the objects. */
  readonly namespace: string;
  /** The Lease that the replicas of the gateway share: it distinguishes gateways of one namespace. */
  readonly lease: string;
}

/** Returns the kind of records of runs in an API group. @spec §1.5, §9.1 */
export const executionKind = (group: string): ApiKind => ({
  ...{ kind: WORKFLOW_EXECUTION_KIND, resource: 'workflowexecutions' },
  ...{ group, version: API_VERSION },
});

/** The most bytes of the metadata of a record as JSON; the gateway writes about 1 KiB. */
export const MAX_METADATA_BYTES = 32_768;

const LABEL_VALUE = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const HASH_CHARS = 32;

const labelValue = (text: string): string =>
  LABEL_VALUE.test(text)
    ? text
    : createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS);

const leaseLabel = ({ apiGroup }: ExecutionOrigin): string => `${apiGroup}/lease`;
const statusLabel = ({ apiGroup }: ExecutionOrigin): string => `${apiGroup}/status`;
const summaryAnnotation = ({ apiGroup }: ExecutionOrigin): string => `${apiGroup}/summary`;

/** The name of the annotation with the time at which the process of a run in progress last reported. */
export const renewalAnnotation = ({ apiGroup }: Pick<ExecutionOrigin, 'apiGroup'>): string =>
  `${apiGroup}/renewed-at`;

/** Returns the label selector of the runs of a gateway. */
export const executionSelector = (origin: ExecutionOrigin): string =>
  `${leaseLabel(origin)}=${labelValue(origin.lease)}`;

/** Returns the record in a text. */
export const recordInText = (text: string): ExecutionRecord | undefined => {
  const parsed = parseExecutionRecord(JSON.parse(text));
  return parsed.ok ? parsed.record : undefined;
};

/** Returns the fields of the object of a run. */
export const executionFields = (
  record: ExecutionRecord,
  summary: string,
  origin: ExecutionOrigin,
) => ({
  metadata: {
    labels: {
      'app.kubernetes.io/managed-by': 'gateway',
      [leaseLabel(origin)]: labelValue(origin.lease),
      [`${origin.apiGroup}/workflow`]: labelValue(record.workflow_name),
      [statusLabel(origin)]: record.status,
    },
    annotations: { [summaryAnnotation(origin)]: summary },
  },
  spec: executionSpec(record),
});

/** Returns the text of the record in an object; an empty one when it has none. */
export const textOfExecution = ({ object }: VersionedObject): string => {
  const parsed = recordOfExecution(object.metadata.name, object.spec);
  return parsed.ok ? JSON.stringify(parsed.record) : '';
};

/** Returns whether an object belongs to a gateway. */
export const isExecutionOf = (origin: ExecutionOrigin, { object }: VersionedObject): boolean =>
  object.metadata.labels?.[leaseLabel(origin)] === labelValue(origin.lease);

/** Returns the summary of the run of an object; an empty one when it has none. */
export const summaryIn = (origin: ExecutionOrigin, { object }: VersionedObject): string =>
  object.metadata.annotations?.[summaryAnnotation(origin)] ?? '';

/** Returns whether the run of an object is in progress. */
export const isInProgress = (origin: ExecutionOrigin, { object }: VersionedObject): boolean =>
  object.metadata.labels?.[statusLabel(origin)] === 'inprogress';

/** Returns an object without its record: what a list of metadata has. */
export const metadataOf = ({ object, revision }: VersionedObject): VersionedObject => ({
  object: { metadata: object.metadata },
  revision,
});
