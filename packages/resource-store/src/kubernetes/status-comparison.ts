import type { Leadership, VersionedObject } from '@gateway/kube-client';
import type { StatusReference } from '../port/resource-status.ts';
import { hasStatusOf, statusBody, statusDifference, type StatusDifference } from './status-body.ts';
import type { StatusEntry } from './status-entry.ts';

/** The objects with which statuses are compared. */
export interface ComparedObjects {
  /** Returns the last known version of an object; undefined when it does not exist. */
  readonly objectOf: (reference: StatusReference) => VersionedObject | undefined;
  /** Returns the generation of the definition that the present statuses are about. */
  readonly generationOf: (reference: StatusReference) => number | undefined;
  /** The process that leads writes the statuses of all. */
  readonly leadership: Leadership;
}

/** Returns how the status of an object differs from its entry; none when this process does not write it. */
const differenceOf = (
  { reference, status, isProvisional }: StatusEntry,
  { objectOf, generationOf, leadership }: ComparedObjects,
): StatusDifference => {
  const object = objectOf(reference);
  if (object === undefined || !leadership.isLeader()) return 'none';
  const generation = generationOf(reference);
  if (isProvisional && hasStatusOf(object, generation)) return 'none';
  return statusDifference(object.object.status, statusBody(status, object, generation));
};

/** Returns whether this process writes the status of an object at the end of its interval. */
export const isDue = (entry: StatusEntry, objects: ComparedObjects): boolean => {
  const difference = differenceOf(entry, objects);
  return difference === 'other' || (difference === 'attempts' && entry.isRefreshed);
};

/** Returns the object with the oldest fields of attempts; undefined when none is from before a time. */
export const oldestAttempts = (
  entries: Iterable<StatusEntry>,
  objects: ComparedObjects,
  before: number,
): StatusEntry | undefined =>
  [...entries]
    .filter(({ readAt }) => readAt <= before)
    .sort((a, b) => a.readAt - b.readAt)
    .find((entry) => differenceOf(entry, objects) === 'attempts');
