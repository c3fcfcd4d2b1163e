import {
  type JsonObject,
  NO_SESSION,
  type NotificationChannel,
  type OpenedChannel,
} from '@gateway/call-contract';
import {
  type EventQuery,
  type EventType,
  isEventMatch,
  parseEventQuery,
  type StoredEvent,
} from '@gateway/events';
import {
  createArrayResult,
  type CoreTool,
  defineCoreTool,
  createErrorResult,
  READS,
} from './core-tool.ts';
import type { CoreCallContext, CoreToolPorts, EventsPort } from './ports.ts';

/** The method of the notification that carries an event to a follower. @spec §6 */
export const EVENT_NOTIFICATION = 'notifications/gateway/event';

/** Maximum of the argument `limit` of `core_events`. @spec §6 */
export const MAX_EVENTS = 1_000;

/** Default of the argument `limit` of `core_events`. @spec §6 */
export const DEFAULT_EVENTS = 50;

/** Maximum number of events that wait for the answer of a query. */
const MAX_HELD = 1_000;

/** Name of the notification channel of a follower: a session has one. */
const CHANNEL = 'events';

/** A time as `YYYY-MM-DD HH:MM:SS` in UTC. */
const formatTimestamp = (time: number): string =>
  new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** An event without its count: one occurrence. */
const toOccurrence = (event: StoredEvent): JsonObject => ({
  timestamp: formatTimestamp(event.lastAt),
  resource_type: event.kind,
  resource_name: event.name,
  namespace: event.namespace,
  reason: event.reason,
  message: event.message,
  type: event.type,
});

const toEventInfo = (event: StoredEvent): JsonObject => ({
  ...toOccurrence(event),
  ...(event.count > 1 && { count: event.count }),
});

/** Buffers new events until the last event of the answer is known. */
class Follower {
  readonly #query: EventQuery;
  readonly #channel: NotificationChannel;
  #held: StoredEvent[] | undefined = [];

  constructor(events: EventsPort, query: EventQuery, channel: NotificationChannel) {
    this.#query = query;
    this.#channel = channel;
    channel.onEnd(events.subscribe((event) => this.#take(event)));
  }

  /** Forwards all events after the one with this number. */
  start(after: number): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) if (event.id > after) this.#take(event);
  }

  #take(event: StoredEvent): void {
    if (!isEventMatch(this.#query, event)) return;
    if (this.#held !== undefined) this.#hold(this.#held, event);
    else this.#channel.notify({ method: EVENT_NOTIFICATION, params: toOccurrence(event) });
  }

  #hold(held: StoredEvent[], event: StoredEvent): void {
    held.push(event);
    if (held.length > MAX_HELD) held.shift();
  }
}

const queryEvents = async (
  events: EventsPort,
  query: EventQuery,
): Promise<readonly StoredEvent[] | JsonObject> => {
  try {
    return await events.query(query);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return createErrorResult(`Failed to query events: ${reason}`);
  }
};

const isList = (value: readonly StoredEvent[] | JsonObject): value is readonly StoredEvent[] =>
  Array.isArray(value);

const NOT_FOLLOWED: Readonly<Record<Extract<OpenedChannel, { ok: false }>['code'], string>> = {
  'no-session':
    'Failed to follow events: they are sent to the session of a client, and this one has none; ask again later with since instead',
  'no-stream':
    'Failed to follow events: the session has no open stream to send them on; open one with GET and ask again',
};

const createEventsResult = (found: readonly StoredEvent[], facts: JsonObject = {}): JsonObject =>
  createArrayResult('events', found.map(toEventInfo), facts);

const follow = async (
  { events }: CoreToolPorts,
  query: EventQuery,
  { caller }: CoreCallContext,
): Promise<JsonObject> => {
  const opened = (await caller?.openNotificationChannel?.(CHANNEL)) ?? NO_SESSION;
  if (!opened.ok) return createErrorResult(NOT_FOLLOWED[opened.code], { code: opened.code });
  const { channel } = opened;
  const follower = new Follower(events, query, channel);
  const found = await queryEvents(events, query);
  if (!isList(found)) {
    channel.end();
    return found;
  }
  follower.start(found[0]?.id ?? -1);
  return createEventsResult(found, { following: true });
};

/** The tool that shows and follows events. */
export const eventTool: CoreTool = defineCoreTool({
  name: 'core_events',
  description:
    'List events of servers, workflows and the configuration, newest first; identical events are aggregated with a count.',
  annotations: READS,
  arguments: {
    resourceType: {
      type: 'string',
      required: false,
      description: 'Only events of this kind: MCPServer, Workflow or Configuration',
    },
    resourceName: {
      type: 'string',
      required: false,
      description: 'Only events of the resource of this name',
    },
    namespace: {
      type: 'string',
      required: false,
      description: 'Only events of resources in this namespace',
    },
    eventType: {
      type: 'string',
      required: false,
      description: 'Only events of this type; a Warning requires attention',
      enum: ['Normal', 'Warning'],
    },
    since: {
      type: 'string',
      required: false,
      description: 'Only events after this: RFC 3339, or how long ago, such as 30m or 1h',
    },
    until: {
      type: 'string',
      required: false,
      description: 'Only events before this: RFC 3339, or how long ago, such as 30m or 1h',
    },
    limit: {
      type: 'integer',
      required: false,
      description: 'How many to list at most',
      minimum: 1,
      maximum: MAX_EVENTS,
      default: DEFAULT_EVENTS,
    },
    follow: {
      type: 'boolean',
      required: false,
      description: `Whether to be sent what happens from now on as ${EVENT_NOTIFICATION}, until the session ends or follows again`,
      default: false,
    },
  },
  run: async (args, ports, context) => {
    const { eventType, limit = DEFAULT_EVENTS, follow: isFollowed = false } = args;
    const filter = { ...args, eventType: eventType as EventType | undefined, limit };
    const parsed = parseEventQuery(filter, ports.events.now());
    if (!parsed.ok) return createErrorResult(parsed.text);
    if (isFollowed) return follow(ports, parsed.query, context);
    const found = await queryEvents(ports.events, parsed.query);
    return isList(found) ? createEventsResult(found) : found;
  },
});
