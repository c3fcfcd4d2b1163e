import { toObject, toList, type JsonObject } from '@gateway/call-contract';
import { EVENT_NOTIFICATION, MAX_EVENTS } from '@gateway/core-tools';
import { type CommandResult, escapeToJson, escapeToLine } from '@gateway/service-host';
import { setTimeout as pause } from 'node:timers/promises';
import type { CliIo } from '../cli-io.ts';
import { type GatewayClient, createGatewayOutage } from '../client/gateway-client.ts';
import {
  callCoreTool,
  type ClientArguments,
  type FollowedSession,
  followGateway,
  withClient,
} from '../client/request-gateway.ts';
import { CommandFailure } from '../failure.ts';
import { formatField } from '../json-fields.ts';
import {
  createStyle,
  formatTerminalTable,
  createFieldColumn,
  type Column,
  writeValue,
} from '../output.ts';

const MAX_REMEMBERED = 1_000;

/** The time of an event, in UTC and in whole seconds. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/u;

/** Returns the identity of an event without its count, which changes when the gateway aggregates identical events. */
const toEventKey = (event: JsonObject): string =>
  JSON.stringify(
    ['type', 'resource_type', 'namespace', 'resource_name', 'reason', 'message'].map((name) =>
      formatField(event, name),
    ),
  );

/** Tracks the printed events of the newest second, so that printing can resume after them. */
class PrintedEvents {
  #newest = '';
  readonly #keys = new Set<string>();

  add(event: JsonObject): void {
    const time = formatField(event, 'timestamp');
    if (!TIMESTAMP.test(time) || time < this.#newest) return;
    if (time > this.#newest) this.#keys.clear();
    this.#newest = time;
    this.#keys.add(toEventKey(event));
    const [oldest] = this.#keys;
    if (this.#keys.size > MAX_REMEMBERED && oldest !== undefined) this.#keys.delete(oldest);
  }

  has(event: JsonObject): boolean {
    return formatField(event, 'timestamp') === this.#newest && this.#keys.has(toEventKey(event));
  }

  /** Returns the time of the newest event as RFC 3339 text. The events of its second may have been printed. */
  since(): string | undefined {
    return this.#newest === '' ? undefined : `${this.#newest.replace(' ', 'T')}Z`;
  }
}

const PING_INTERVAL_MS = 15_000;

/** Maximum number of attempts to follow events while the notification stream opens. */
const STREAM_ATTEMPTS = 20;
/** Pause between attempts, in milliseconds. */
const STREAM_PAUSE_MS = 100;

const KINDS: Readonly<Record<string, string>> = {
  mcpserver: 'MCPServer',
  workflow: 'Workflow',
  configuration: 'Configuration',
};

export interface EventsArguments extends ClientArguments {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly follow?: boolean;
}

export async function showEvents(args: EventsArguments, io: CliIo): Promise<CommandResult> {
  const query = toQuery(args);
  if (args.follow === true) return followEvents(query, args, io);
  return withClient({ ...args, io }, async (gateway): Promise<CommandResult> => {
    const events = await requestEvents(gateway, query);
    writeValue(io, args.output, events, () =>
      events.length === 0 ? 'no events\n' : formatTerminalTable(io, events.toReversed(), COLUMNS),
    );
    return 'succeeded';
  });
}

function toQuery(args: EventsArguments): JsonObject {
  const { kind, name, namespace, type, since, until, limit } = args;
  const parameters = {
    resourceType: kind === undefined ? undefined : (KINDS[kind.toLowerCase()] ?? kind),
    resourceName: name,
    namespace,
    eventType: type,
    since,
    until,
    limit,
  };
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}

async function requestEvents(
  gateway: GatewayClient,
  query: JsonObject,
): Promise<readonly JsonObject[]> {
  const value = await callCoreTool(gateway, 'core_events', query);
  return toList(Array.isArray(value) ? value : toObject(value)['events']).map(toObject);
}

const formatObject = (event: JsonObject): string =>
  [formatField(event, 'resource_type'), formatField(event, 'resource_name')].join('/');

const formatMessage = (event: JsonObject): string => {
  const count = Number(formatField(event, 'count') || '1');
  return count > 1
    ? `${formatField(event, 'message')} (${count} times)`
    : formatField(event, 'message');
};

const COLUMNS: readonly Column<JsonObject>[] = [
  createFieldColumn('TIME', 'timestamp'),
  createFieldColumn('TYPE', 'type', (event) =>
    event['type'] === 'Warning' ? 'yellow' : undefined,
  ),
  { title: 'OBJECT', cell: formatObject },
  createFieldColumn('REASON', 'reason'),
  { title: 'MESSAGE', cell: formatMessage },
];

/** Prints one line for each event, oldest first, until Ctrl+C. In a new session it continues after the events that were printed. */
async function followEvents(
  query: JsonObject,
  args: EventsArguments,
  io: CliIo,
): Promise<CommandResult> {
  const printed = new PrintedEvents();
  const print = (event: JsonObject): void => {
    printed.add(event);
    io.stdout.write(
      args.output === 'json' ? `${escapeToJson(event)}\n` : formatEventLine(event, io),
    );
  };
  let nextQuery = query;
  return followGateway({ ...args, io }, async (session) => {
    const since = printed.since();
    await printEvents(session, { ...nextQuery, ...(since !== undefined && { since }) }, (past) => {
      session.onAnswer();
      // After a reconnection, the limit of the user could hide events that were never printed.
      nextQuery = { ...query, limit: MAX_EVENTS };
      for (const event of past.filter((candidate) => !printed.has(candidate))) print(event);
      return print;
    });
  });
}

const formatEventLine = (event: JsonObject, io: CliIo): string => {
  const columns = [
    formatField(event, 'timestamp'),
    formatField(event, 'type').padEnd(7),
    formatMessage(event),
  ];
  const line = escapeToLine(columns.join('  '));
  return `${event['type'] === 'Warning' ? createStyle(io)('yellow', line) : line}\n`;
};

type PrintPastEvents = (past: readonly JsonObject[]) => (event: JsonObject) => void;

async function printEvents(
  { gateway, interrupted }: FollowedSession,
  query: JsonObject,
  printPast: PrintPastEvents,
): Promise<void> {
  const ended = new AbortController();
  gateway.onStreamEnd(() => {
    ended.abort();
  });
  // Events that arrive before the result are printed after it.
  const early: JsonObject[] = [];
  let receive = (event: JsonObject): void => void early.push(event);
  gateway.onNotification(EVENT_NOTIFICATION, (event) => {
    receive(event);
  });
  receive = printPast((await requestFollow(gateway, query)).toReversed());
  for (const event of early) receive(event);
  await waitForEnd(gateway, { interrupted, ended: ended.signal });
}

async function requestFollow(
  gateway: GatewayClient,
  query: JsonObject,
): Promise<readonly JsonObject[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await requestEvents(gateway, { ...query, follow: true });
    } catch (error) {
      const hasNoStream = error instanceof CommandFailure && error.code === 'no-stream';
      if (!hasNoStream) throw error;
      if (attempt === STREAM_ATTEMPTS)
        throw createGatewayOutage(gateway.url, 'no stream of events', error.message);
      await pause(STREAM_PAUSE_MS);
    }
  }
}

interface SessionEnd {
  readonly interrupted: AbortSignal;
  readonly ended: AbortSignal;
}

/** Resolves after Ctrl+C. Rejects when the stream has ended or the gateway does not answer a ping. */
async function waitForEnd(
  gateway: GatewayClient,
  { interrupted, ended }: SessionEnd,
): Promise<void> {
  const signal = AbortSignal.any([interrupted, ended]);
  for (;;) {
    await pause(PING_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    if (interrupted.aborted) return;
    if (ended.aborted)
      throw createGatewayOutage(
        gateway.url,
        'the stream of events ended',
        `the gateway at ${gateway.url.href} has ended the stream of events`,
      );
    await gateway.ping();
  }
}
