import type { EventKind } from '@gateway/events';
import type { ListSample, VersionedObject } from '@gateway/kube-client';
import { eventOfObject } from './event-object.ts';

/** How many events of one kind and namespace are read and used. */
interface EventSampleBounds {
  readonly maxRead: number;
  readonly maxUsed: number;
}

const BOUNDS: EventSampleBounds = { maxRead: 50_000, maxUsed: 10_000 };

/** Returns the newest objects of events, by their last occurrence. */
const newest = (
  objects: readonly VersionedObject[],
  kind: EventKind,
  count: number,
): readonly VersionedObject[] =>
  objects
    .map((object) => ({ object, at: eventOfObject(object, kind).lastAt }))
    .sort((a, b) => b.at - a.at)
    .slice(0, count)
    .map(({ object }) => object);

/** Returns the part of a list of events that is used: any client of the API can create more events than fit in memory. */
export const eventSample = (
  kind: EventKind,
  { maxRead, maxUsed }: EventSampleBounds = BOUNDS,
): ListSample => ({
  maxRead,
  keep: (objects) => (objects.length <= 2 * maxUsed ? objects : newest(objects, kind, maxUsed)),
});
