import { EVENT_NOTIFICATION } from '@gateway/core-tools';
import { setTimeout as pause } from 'node:timers/promises';
import { type CommandResult, escapeToLine, escapeToJson } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { valueOf } from '../client/result-text.ts';
import type { EventsArguments } from '../arguments/client-arguments.ts';
import { CommandFailure } from '../failure.ts';
import { fieldsOf, listOf, shown, type Fields } from '../output/json-fields.ts';
import { styleOf } from '../output/style.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { askedCore, connected } from './connected.ts';

/** How often a gateway that says nothing is asked whether it is still there, in milliseconds. */
const ALIVE_EVERY_MS = 15_000;

/** How often a stream that is not open yet is waited for, and how long, in milliseconds. */
const STREAM_ATTEMPTS = 20;
const STREAM_PAUSE_MS = 100;

/** Kinds as people write them. */
const KINDS: Readonly<Record<string, string>> = {
  mcpserver: 'MCPServer',
  workflow: 'Workflow',
  configuration: 'Configuration',
};

/** Prints what happened, newest last, and with `--follow` what happens from then on. */
export async function showEvents(args: EventsArguments, io: CliIo): Promise<CommandResult> {
  const query = queryOf(args);
  return connected(args, async (gateway) => {
    if (args.follow === true) return followed(gateway, query, { args, io });
    const events = await askedEvents(gateway, query);
    writeValue(io, args.output, events, () =>
      events.length === 0 ? 'no events\n' : eventTable(events.toReversed(), io),
    );
    return 'succeeded';
  });
}

function queryOf(args: EventsArguments): Fields {
  const { kind, name, namespace, type, since, until, limit } = args;
  const given = {
    resourceType: kind === undefined ? undefined : (KINDS[kind.toLowerCase()] ?? kind),
    resourceName: name,
    namespace,
    eventType: type,
    since,
    until,
    limit,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

async function askedEvents(gateway: GatewayClient, query: Fields): Promise<readonly Fields[]> {
  const value = valueOf(await askedCore(gateway, 'core_events', query));
  return listOf(Array.isArray(value) ? value : fieldsOf(value)['events']).map(fieldsOf);
}

const objectOf = (event: Fields): string =>
  [shown(event, 'resource_type'), shown(event, 'resource_name')].join('/');

const messageOf = (event: Fields): string => {
  const count = Number(shown(event, 'count') || '1');
  return count > 1 ? `${shown(event, 'message')} (${count} times)` : shown(event, 'message');
};

const eventTable = (events: readonly Fields[], io: CliIo): string =>
  tableText(io, events, [
    { title: 'TIME', cell: (event) => shown(event, 'timestamp') },
    {
      title: 'TYPE',
      cell: (event) => shown(event, 'type'),
      look: (event) => (event['type'] === 'Warning' ? 'yellow' : undefined),
    },
    { title: 'OBJECT', cell: objectOf },
    { title: 'REASON', cell: (event) => shown(event, 'reason') },
    { title: 'MESSAGE', cell: messageOf },
  ]);

interface Follower {
  readonly args: EventsArguments;
  readonly io: CliIo;
}

/** One line for each event, oldest first, until the gateway is gone or the person at the terminal has had enough. */
async function followed(
  gateway: GatewayClient,
  query: Fields,
  { args, io }: Follower,
): Promise<CommandResult> {
  const enough = io.interrupted();
  const { stdout } = io;
  const style = styleOf(stdout, io.env);
  const print = (event: Fields): void => {
    if (args.output === 'json') {
      stdout.write(`${escapeToJson(event)}\n`);
      return;
    }
    const warns = event['type'] === 'Warning';
    const facts = [shown(event, 'timestamp'), shown(event, 'type').padEnd(7), messageOf(event)];
    const line = escapeToLine(facts.join('  '));
    stdout.write(`${warns ? style('yellow', line) : line}\n`);
  };
  // What comes before the answer is printed after it.
  const early: Fields[] = [];
  let take = (event: Fields): void => void early.push(event);
  gateway.onNotification(EVENT_NOTIFICATION, (event) => {
    take(event);
  });
  const past = await askedToFollow(gateway, query);
  for (const event of [...past.toReversed(), ...early]) print(event);
  take = print;
  return untilGone(gateway, enough);
}

/** The stream that events come on opens beside the session, moments later. */
async function askedToFollow(gateway: GatewayClient, query: Fields): Promise<readonly Fields[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await askedEvents(gateway, { ...query, follow: true });
    } catch (error) {
      const isEarly = error instanceof CommandFailure && error.code === 'no-stream';
      if (!isEarly || attempt === STREAM_ATTEMPTS) throw error;
      await pause(STREAM_PAUSE_MS);
    }
  }
}

async function untilGone(gateway: GatewayClient, enough: AbortSignal): Promise<CommandResult> {
  const isEnough = (): boolean => enough.aborted;
  while (!isEnough()) {
    await pause(ALIVE_EVERY_MS, undefined, { signal: enough }).catch(() => undefined);
    if (isEnough()) break;
    await gateway.alive().catch(() => {
      throw new CommandFailure('failed', `the gateway at ${gateway.url.href} is gone`);
    });
  }
  return 'succeeded';
}
