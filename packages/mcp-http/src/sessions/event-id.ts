/** Where an event was sent: the process that logged it, its stream in the session, and its number there. */
export interface EventPlace {
  readonly owner: string;
  /** `get…` for a stream of the session, `post…` for the answer to a request. */
  readonly stream: string;
  readonly event: number;
}

const EVENT_ID = /^([\w~%-]{1,100})\.((?:get|post)\d{1,12})\.(\d{1,12})$/;

/** Writes an event's id: visible ASCII, since a client sends it back in a header. */
export const eventIdOf = ({ owner, stream, event }: EventPlace): string =>
  `${owner}.${stream}.${event}`;

/** Parses the id of an event; returns `undefined` for an id that no process of this kind has written. */
export const parseEventId = (id: string): EventPlace | undefined => {
  const [, owner, stream, event] = EVENT_ID.exec(id) ?? [];
  if (owner === undefined || stream === undefined || event === undefined) return undefined;
  return { owner, stream, event: Number(event) };
};
