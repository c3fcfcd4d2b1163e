import type { ApiKind, ObjectKey } from '../objects/api-kind.ts';
import { apiVersionOf } from '../objects/api-kind.ts';
import { fieldsOf, textOf } from '../objects/json-fields.ts';

/** Leases of the Kubernetes API. */
export const LEASE: ApiKind = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  resource: 'leases',
};

/** A lease as one version of its object states it. */
export interface Lease {
  /** Resource version of the object. */
  readonly revision: string;
  /** Empty when no process holds the lease. */
  readonly holder: string;
  /** Milliseconds without a renewal after which another process may take the lease. */
  readonly durationMs: number;
  readonly transitions: number;
  readonly acquireTime: string | undefined;
  /** The object, for the next version of it. */
  readonly object: Readonly<Record<string, unknown>>;
}

/** A lease of another program can have any duration. */
const MAX_DURATION_SECONDS = 120;

const numberOf = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : fallback;

/** Returns the lease in an object. A missing duration is the one given. */
export const leaseOf = (
  object: Readonly<Record<string, unknown>>,
  defaultDurationMs: number,
): Lease => {
  const metadata = fieldsOf(object['metadata']);
  const spec = fieldsOf(object['spec']);
  const seconds = numberOf(spec['leaseDurationSeconds'], defaultDurationMs / 1000);
  return {
    revision: textOf(metadata['resourceVersion']) ?? '',
    holder: textOf(spec['holderIdentity']) ?? '',
    durationMs: Math.min(seconds, MAX_DURATION_SECONDS) * 1000,
    transitions: numberOf(spec['leaseTransitions'], 0),
    acquireTime: textOf(spec['acquireTime']),
    object,
  };
};

/** The content that a process writes into a lease. */
export interface LeaseWrite {
  readonly key: ObjectKey;
  /** Empty to release the lease. */
  readonly holder: string;
  readonly durationMs: number;
  readonly now: Date;
}

/** The API accepts exactly six digits of a second. */
const microTime = (time: Date): string => time.toISOString().replace('Z', '000Z');

/** A release is not a transition: the next holder counts it. */
const transitionsTo = (holder: string, before: Lease | undefined): number => {
  if (before === undefined) return 0;
  return before.transitions + (holder === '' || holder === before.holder ? 0 : 1);
};

/** Returns the object that takes, renews or releases a lease; of a new lease when there was none. */
export const writtenLease = (
  { key, holder, durationMs, now }: LeaseWrite,
  before?: Lease,
): Readonly<Record<string, unknown>> => {
  const isSame = before?.holder === holder;
  const time = microTime(now);
  const transitions = transitionsTo(holder, before);
  const acquireTime = isSame ? (before.acquireTime ?? time) : time;
  return {
    ...before?.object,
    apiVersion: apiVersionOf(LEASE),
    kind: LEASE.kind,
    metadata: before === undefined ? key : before.object['metadata'],
    spec: {
      ...fieldsOf(before?.object['spec']),
      holderIdentity: holder,
      leaseDurationSeconds: Math.max(1, Math.round(durationMs / 1000)),
      acquireTime,
      renewTime: time,
      leaseTransitions: transitions,
    },
  };
};
