import { EVENT_NOTIFICATION } from '@gateway/core-tools';
import { setTimeout as pause } from 'node:timers/promises';
import { type CommandResult, escapeToLine, escapeToJson } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { valueOf } from '../client/result-text.ts';
import type { EventsArguments } from '../arguments/client-arguments.ts';
import { CommandFailure } from '../failure.ts';
import { fieldsOf, listOf, fieldText, type Fields } from '../output/json-fields.ts';
import { styleOf } from '../output/style.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { callCoreTool, withClient } from './request-gateway.ts';

/** Interval between pings of the gateway while events are followed, in milliseconds. */
const PING_INTERVAL_MS = 15_000;

/** Attempts to follow events before the notification stream is open, and the pause between them in milliseconds. */
const STREAM_ATTEMPTS = 20;
const STREAM_PAUSE_MS = 100;

/** Kinds of resources by their option values. */
const KINDS: Readonly<Record<string, string>> = {
  mcpserver: 'MCPServer',
  workflow: 'Workflow',
  configuration: 'Configuration',
};

/** Prints events, newest last. With `--follow`, also prints new events. */
export async function showEvents(args: EventsArguments, io: CliIo): Promise<CommandResult> {
  const query = queryOf(args);
  return withClient({ ...args, io }, async (gateway) => {
    if (args.follow === true) return followEvents(gateway, query, { args, io });
    const events = await requestEvents(gateway, query);
    writeValue(io, args.output, events, () =>
      events.length === 0 ? 'no events\n' : eventTable(events.toReversed(), io),
    );
    return 'succeeded';
  });
}

function queryOf(args: EventsArguments): Fields {
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

async function requestEvents(gateway: GatewayClient, query: Fields): Promise<readonly Fields[]> {
  const value = valueOf(await callCoreTool(gateway, 'core_events', query));
  return listOf(Array.isArray(value) ? value : fieldsOf(value)['events']).map(fieldsOf);
}

const objectOf = (event: Fields): string =>
  [fieldText(event, 'resource_type'), fieldText(event, 'resource_name')].join('/');

const messageOf = (event: Fields): string => {
  const count = Number(fieldText(event, 'count') || '1');
  return count > 1
    ? `${fieldText(event, 'message')} (${count} times)`
    : fieldText(event, 'message');
};

const eventTable = (events: readonly Fields[], io: CliIo): string =>
  tableText(io, events, [
    { title: 'TIME', cell: (event) => fieldText(event, 'timestamp') },
    {
      title: 'TYPE',
      cell: (event) => fieldText(event, 'type'),
      style: (event) => (event['type'] === 'Warning' ? 'yellow' : undefined),
    },
    { title: 'OBJECT', cell: objectOf },
    { title: 'REASON', cell: (event) => fieldText(event, 'reason') },
    { title: 'MESSAGE', cell: messageOf },
  ]);

interface Follower {
  readonly args: EventsArguments;
  readonly io: CliIo;
}

/** Prints one line for each event, oldest first, until the gateway is unreachable or the command is interrupted. */
async function followEvents(
  gateway: GatewayClient,
  query: Fields,
  { args, io }: Follower,
): Promise<CommandResult> {
  const interrupted = io.interrupted();
  const { stdout } = io;
  const style = styleOf(stdout, io.env);
  const print = (event: Fields): void => {
    if (args.output === 'json') {
      stdout.write(`${escapeToJson(event)}\n`);
      return;
    }
    const isWarning = event['type'] === 'Warning';
    const columns = [
      fieldText(event, 'timestamp'),
      fieldText(event, 'type').padEnd(7),
      messageOf(event),
    ];
    const line = escapeToLine(columns.join('  '));
    stdout.write(`${isWarning ? style('yellow', line) : line}\n`);
  };
  // Events that arrive before the result are printed after it.
  const early: Fields[] = [];
  let receive = (event: Fields): void => void early.push(event);
  gateway.onNotification(EVENT_NOTIFICATION, (event) => {
    receive(event);
  });
  const past = await requestFollow(gateway, query);
  for (const event of [...past.toReversed(), ...early]) print(event);
  receive = print;
  return waitUntilInterrupted(gateway, interrupted);
}

/** Requests events and follows them. Retries while the notification stream of the session is not open yet. */
async function requestFollow(gateway: GatewayClient, query: Fields): Promise<readonly Fields[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await requestEvents(gateway, { ...query, follow: true });
    } catch (error) {
      const isEarly = error instanceof CommandFailure && error.code === 'no-stream';
      if (!isEarly || attempt === STREAM_ATTEMPTS) throw error;
      await pause(STREAM_PAUSE_MS);
    }
  }
}

async function waitUntilInterrupted(
  gateway: GatewayClient,
  interrupted: AbortSignal,
): Promise<CommandResult> {
  const isInterrupted = (): boolean => interrupted.aborted;
  while (!isInterrupted()) {
    await pause(PING_INTERVAL_MS, undefined, { signal: interrupted }).catch(() => undefined);
    if (isInterrupted()) break;
    await gateway.ping().catch(() => {
      throw new CommandFailure(
        'failed',
        `the gateway at ${gateway.url.href} does not answer any more`,
      );
    });
  }
  return 'succeeded';
}
