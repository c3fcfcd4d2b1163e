import { createHash } from 'node:crypto';
import { apiVersionOf } from '@gateway/crd-schemas';
import type { EventKind, StoredEvent } from '@gateway/events';
import type { SubjectEvent } from './event-subjects.ts';
import type { ContinuedEvent, KnownEvent } from './event-succession.ts';
import { fieldsOf, type ApiKind, type VersionedObject } from '@gateway/kube-client';

/** Events of the Kubernetes API. */
export const EVENT: ApiKind = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  resource: 'events',
};

/** The value of `app.kubernetes.io/managed-by` of the events of gateways. */
const MANAGER = 'gateway';
const MANAGED_BY = 'app.kubernetes.io/managed-by';
const MAX_NAME_CHARS = 253;
const HASH_CHARS = 16;

/** The gateway whose events are written. */
export interface EventOrigin {
  readonly apiGroup: string;
  /** The namespace of events about the configuration. */
  readonly namespace: string;
}

const kindLabel = ({ apiGroup }: EventOrigin): string => `${apiGroup}/kind`;

/** Returns the label selector of the events about a kind. */
export const eventSelector = (kind: EventKind, origin: EventOrigin): string =>
  `${MANAGED_BY}=${MANAGER},${kindLabel(origin)}=${kind}`;

const microTime = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

/** The parts of an event that the API does not let change. */
const nameOf = ({ name, reason, message, firstAt, uid = '' }: SubjectEvent): string => {
  const hash = createHash('sha256').update(JSON.stringify([name, reason, message, firstAt, uid]));
  const suffix = `.${hash.digest('hex').slice(0, HASH_CHARS)}`;
  return name.slice(0, MAX_NAME_CHARS - suffix.length) + suffix;
};

/** The namespace of an event, and the uid of the object that it is about, if it exists. */
export interface EventPlace {
  readonly namespace: string;
  readonly uid?: string;
  /** The object of another replica that this event continues. */
  readonly continued?: ContinuedEvent | undefined;
}

/** An event as the API stores it. */
export interface EventObject {
  readonly key: { readonly namespace: string; readonly name: string };
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns the object of an event. Occurrences of an aggregated event have one object, whose `series` counts them. */
export const eventObject = (
  event: SubjectEvent,
  origin: EventOrigin,
  { namespace, continued }: Pick<EventPlace, 'namespace' | 'continued'>,
): EventObject => {
  const { kind, name, reason, message, type, lastAt } = event;
  const { object, uid, firstAt, more }: ContinuedEvent = continued ?? {
    object: nameOf(event),
    ...(event.uid === undefined ? {} : { uid: event.uid }),
    ...{ firstAt: event.firstAt, more: 0 },
  };
  const count = event.count + more;
  const apiVersion = apiVersionOf(origin.apiGroup);
  return {
    key: { namespace, name: object },
    fields: {
      metadata: { labels: { [MANAGED_BY]: MANAGER, [kindLabel(origin)]: kind } },
      ...{ eventTime: microTime(firstAt), reason, action: reason, note: message, type },
      ...{ reportingController: `${origin.apiGroup}/gateway`, reportingInstance: MANAGER },
      regarding: { apiVersion, kind, namespace, name, ...(uid === undefined ? {} : { uid }) },
      ...(count > 1 ? { series: { count, lastObservedTime: microTime(lastAt) } } : {}),
    },
  };
};

const timeOf = (value: unknown): number => {
  const at = Date.parse(String(value));
  return Number.isNaN(at) ? 0 : at;
};

/** Returns the event of an object; its number is the time of its last occurrence. */
export const eventOfObject = ({ object }: VersionedObject, kind: EventKind): StoredEvent => {
  const fields: Readonly<Record<string, unknown>> = { ...object };
  const { name, namespace } = fieldsOf(fields['regarding']);
  const { count, lastObservedTime } = fieldsOf(fields['series']);
  const firstAt = timeOf(fields['eventTime']);
  const lastAt = lastObservedTime === undefined ? firstAt : timeOf(lastObservedTime);
  return {
    ...{ id: lastAt, kind, name: String(name), namespace: String(namespace) },
    ...{ reason: String(fields['reason']), message: String(fields['note']) },
    type: fields['type'] === 'Warning' ? 'Warning' : 'Normal',
    ...{ firstAt, lastAt, count: typeof count === 'number' ? count : 1 },
  };
};

/** Returns the event of an object with what another replica needs to continue it. */
export const knownEventOf = (found: VersionedObject, kind: EventKind): KnownEvent => {
  const fields: Readonly<Record<string, unknown>> = { ...found.object };
  const { uid } = fieldsOf(fields['regarding']);
  return {
    object: found.object.metadata.name,
    ...(typeof uid === 'string' ? { uid } : {}),
    event: eventOfObject(found, kind),
  };
};

/** Returns events newest first, each with its own number. */
export const numbered = (events: readonly StoredEvent[]): readonly StoredEvent[] => {
  let last = 0;
  return events
    .toSorted((a, b) => a.id - b.id)
    .map((event) => {
      last = Math.max(last + 1, event.id);
      return { ...event, id: last };
    })
    .reverse();
};
