import type { Cluster, ClusterObject } from '@gateway/test-peers';

/** A condition of an object of Flux. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

interface Metadata {
  readonly [field: string]: unknown;
  readonly namespace: string;
  readonly name: string;
  readonly generation: number;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
}

/** An OCIRepository. */
export interface Source extends ClusterObject {
  readonly metadata: Metadata;
  readonly spec: { readonly url: string; readonly ref: { readonly semver: string } };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
    readonly artifact?: { readonly revision: string; readonly url: string };
  };
}

/** A reference to values in a ConfigMap or a Secret. */
export interface ValuesReference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly valuesKey?: string;
}

/** A HelmRelease. */
export interface Release extends ClusterObject {
  readonly metadata: Metadata;
  readonly spec: {
    readonly chartRef: { readonly name: string; readonly namespace?: string };
    readonly serviceAccountName?: string;
    readonly values?: object;
    readonly valuesFrom?: readonly ValuesReference[];
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly lastAttemptedRevision?: string;
    readonly history?: readonly object[];
  };
}

const FINALIZER = 'finalizers.fluxcd.io';
const MERGE = 'application/merge-patch+json';

/** Changes an object as a controller does. @param part `/status` for its status */
const patchObject = async (
  { admin }: Cluster,
  object: ClusterObject,
  content: object,
  part = '',
): Promise<void> => {
  await admin.expect('PATCH', `${await admin.resolvePath(object)}${part}`, {
    type: MERGE,
    content,
  });
};

/** Writes conditions and further fields of a status for the current generation. */
export const writeStatus = async (
  cluster: Cluster,
  object: Source | Release,
  {
    conditions,
    ...fields
  }: { readonly conditions: readonly Condition[]; readonly [field: string]: unknown },
): Promise<void> => {
  const { generation: observedGeneration } = object.metadata;
  const lastTransitionTime = new Date().toISOString();
  const timed = conditions.map((one) => ({ ...one, observedGeneration, lastTransitionTime }));
  const status = { ...fields, observedGeneration, conditions: timed };
  await patchObject(cluster, object, { status }, '/status');
};

/** Holds an object so that its deletion waits for the controller. */
export const holdObject = async (cluster: Cluster, object: Source | Release): Promise<void> => {
  if (object.metadata.finalizers?.includes(FINALIZER) === true) return;
  await patchObject(cluster, object, { metadata: { finalizers: [FINALIZER] } });
};

/** Ends the deletion of an object. */
export const releaseObject = async (cluster: Cluster, object: Source | Release): Promise<void> => {
  await patchObject(cluster, object, { metadata: { finalizers: null } });
};

/** Returns whether an object is being deleted. */
export const isDeleted = ({ metadata }: Source | Release): boolean =>
  metadata.deletionTimestamp !== undefined;

/** Returns whether a controller has seen the current generation of an object. */
export const isObserved = ({ metadata, status }: Source | Release): boolean =>
  status?.observedGeneration === metadata.generation;
