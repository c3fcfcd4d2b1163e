import type { InstancePolicy } from './instance-policy.ts';
import type { ServerInstance } from './server-instance.ts';

/** The client that needs an instance of a server. */
export interface WantedInstance {
  readonly server: string;
  /** Absent where one connection has all instances. */
  readonly person: string | undefined;
}

/** The instances whose processes count. */
export interface CountedInstances {
  readonly present: readonly ServerInstance[];
  /** Instances that no new call uses, and that cannot be ended for another one. */
  readonly retired: readonly ServerInstance[];
}

/** The idle instances that end for another one, or why there is no place for it. */
export type Room =
  | { readonly ok: true; readonly ends: readonly ServerInstance[] }
  | { readonly ok: false; readonly reason: string };

const FULL =
  'as many clients as possible have an instance of the server, and each of them has a call in progress';
const PERSON_FULL =
  'this person has as many instances as possible, and each of them has a call in progress';

interface Bound {
  readonly max: number;
  readonly reason: string;
  readonly counts: (instance: ServerInstance) => boolean;
}

const boundsOf = ({ server, person }: WantedInstance, policy: InstancePolicy): readonly Bound[] => {
  const isOfServer = ({ definition }: ServerInstance): boolean =>
    definition.metadata.name === server;
  const isOfPerson = (instance: ServerInstance): boolean => instance.person === person;
  const { maxPerServer, maxInstances, maxPerPerson, maxOfServerPerPerson } = policy;
  const ofPerson: readonly Bound[] = [
    {
      max: maxOfServerPerPerson,
      reason: PERSON_FULL,
      counts: (instance) => isOfServer(instance) && isOfPerson(instance),
    },
    { max: maxPerPerson, reason: PERSON_FULL, counts: isOfPerson },
  ];
  return [
    ...(person === undefined ? [] : ofPerson),
    { max: maxPerServer, reason: FULL, counts: isOfServer },
    { max: maxInstances, reason: FULL, counts: () => true },
  ];
};

/**
 * Returns the least recently used idle instances that end so that another one has its place. A person ends own instances before those of
 * others. Nothing ends for an instance that is refused.
 */
export const roomForInstance = (
  wanted: WantedInstance,
  { present, retired }: CountedInstances,
  policy: InstancePolicy,
): Room => {
  const ends = new Set<ServerInstance>();
  const byUse = present.toSorted((one, other) => one.usedAt - other.usedAt);
  for (const { max, reason, counts } of boundsOf(wanted, policy)) {
    const left = byUse.filter((instance) => counts(instance) && !ends.has(instance));
    const idle = left.filter(({ isIdle }) => isIdle);
    const tooMany = left.length + retired.filter(counts).length + 1 - max;
    if (tooMany > idle.length) return { ok: false, reason };
    for (const instance of idle.slice(0, Math.max(0, tooMany))) ends.add(instance);
  }
  return { ok: true, ends: [...ends] };
};
