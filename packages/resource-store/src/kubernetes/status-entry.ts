import type { VersionedObject } from '@gateway/kube-client';
import type { ResourceKind } from '../port/resource-key.ts';
import type { StatusByKind, StatusReference, StatusWriteResult } from '../port/resource-status.ts';
import { sourceOf } from './interpret-object.ts';

/** The status that an object should have. */
export interface StatusEntry {
  readonly reference: StatusReference;
  status: StatusByKind[ResourceKind];
  /** The status is written only to an object without one about its definition. */
  isProvisional: boolean;
  /** The version of the object whose status was compared last. */
  compared: VersionedObject | undefined;
  nextAt: number;
  /** The time of the last write, or of the first comparison of this process. */
  readAt: number;
  /** Fields of attempts are written too. */
  isRefreshed: boolean;
  failures: number;
  timer: NodeJS.Timeout | undefined;
  isRunning: boolean;
  waiting: ((result: StatusWriteResult) => void)[];
}

/** Returns the key of an entry. */
export const entryId = (reference: StatusReference): string =>
  `${reference.kind}/${sourceOf(reference)}`;

/** Returns the entry of an object that has none. */
export const newEntry = (
  { kind, namespace, name }: StatusReference,
  status: StatusByKind[ResourceKind],
): StatusEntry => ({
  reference: { kind, namespace, name },
  ...{ status, isProvisional: false, compared: undefined, nextAt: 0 },
  ...{ readAt: performance.now(), isRefreshed: false, failures: 0, timer: undefined },
  ...{ isRunning: false, waiting: [] },
});
