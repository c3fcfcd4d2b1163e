import type { Caller, NotificationChannel } from '@gateway/call-contract';
import { EventRecorder, type GatewayEvent } from '@gateway/events';
import { defineRequirements } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { requirements } from '../spec.requirements.ts';
import { createCoreTools } from '../src/index.ts';
import type { CoreCallContext } from '../src/ports.ts';
import { failure, portsOver } from './ports.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-05-04T12:00:00Z');

const failed = (name: string): GatewayEvent => ({ reason: 'MCPServerFailed', name, error: 'lost' });
const reason = 'WorkflowExecutionStarted';
const deployed: GatewayEvent = { reason, name: 'deploy', execution: '1' };

/** A gateway that has recorded these events, one an hour until now. */
const worldOf = (events: readonly GatewayEvent[]) => {
  const clock = { time: NOW - (events.length - 1) * HOUR };
  const recorder = new EventRecorder({ now: () => clock.time, warn: () => undefined });
  for (const event of events) {
    recorder.emit(event);
    clock.time += HOUR;
  }
  clock.time = NOW;
  return { recorder, clock };
};

const call = async (
  recorder: Pick<EventRecorder, 'query' | 'subscribe'>,
  args: object = {},
  context: CoreCallContext = {},
) => {
  const events = { query: recorder.query, subscribe: recorder.subscribe, now: () => NOW };
  const tools = createCoreTools({ ...portsOver(), events });
  const outcome = await tools.call('core_events', args, context);
  if (!outcome.ok) throw new Error(outcome.text);
  return outcome.result;
};

const itemsOf = (result: Readonly<Record<string, unknown>>) => {
  const [{ text } = { text: '' }] = result['content'] as readonly { readonly text: string }[];
  return JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
};

const parseNames = async (
  recorder: Pick<EventRecorder, 'query' | 'subscribe'>,
  args: object,
): Promise<readonly unknown[]> =>
  itemsOf(await call(recorder, args)).map(({ resource_name: name }) => name);

const files = {
  timestamp: '2026-05-04 12:00:00',
  resource_type: 'MCPServer',
  resource_name: 'files',
  namespace: 'default',
  reason: 'MCPServerFailed',
  message: 'MCPServer files operation failed: lost',
  type: 'Warning',
};

const NEITHER =
  'is neither an RFC 3339 time such as 2026-05-04T10:00:00Z nor a duration such as 1h or 30m';

/** A recorder whose queries fail. */
const failing = (text: string) => ({
  subscribe: worldOf([]).recorder.subscribe,
  query: () => Promise.reject(new Error(text)),
});

const requirement = defineRequirements(requirements);

requirement('6/core-events', () => {
  it('returns the events that the gateway has stored', async () =>
    expect(itemsOf(await call(worldOf([deployed]).recorder))).toHaveLength(1));
  it('is no tool under another name', async () => {
    const text = 'tool not found: core_event';
    const answer = await createCoreTools(portsOver()).call('core_event', {});
    expect(answer).toEqual({ ok: false, text });
  });
});

describe('core_events', () => {
  it('answers an array, newest first, with a count where events were equal', async () => {
    const { recorder } = worldOf([deployed, failed('files')]);
    recorder.emit(failed('files'));
    const message = 'Workflow deploy execution started (execution: 1)';
    const run = {
      ...files,
      timestamp: '2026-05-04 11:00:00',
      resource_type: 'Workflow',
      resource_name: 'deploy',
      reason,
      message,
      type: 'Normal',
    };
    const result = await call(recorder);
    expect(itemsOf(result)).toEqual([{ ...files, count: 2 }, run]);
    expect(result['structuredContent']).toEqual({ events: [{ ...files, count: 2 }, run] });
  });

  it.each([
    [{ resourceType: 'MCPServer' }, ['files', 'old']],
    [{ resourceType: 'mcpserver' }, []],
    [{ resourceName: 'deploy' }, ['deploy']],
    [{ namespace: 'other' }, []],
    [{ eventType: 'Normal' }, ['deploy']],
    [{ since: '90m' }, ['files', 'deploy']],
    [{ until: '2026-05-04T11:30:00Z' }, ['deploy', 'old']],
    [{ since: '2h', until: '30m' }, ['deploy', 'old']],
  ])('filters by %j', async (args, names) => {
    const { recorder } = worldOf([failed('old'), deployed, failed('files')]);
    expect(await parseNames(recorder, args)).toEqual(names);
  });

  it('returns 50 events by default and 1,000 at most', async () => {
    const { recorder } = worldOf(Array.from({ length: 60 }, (_, n) => failed(`s${String(n)}`)));
    expect(await parseNames(recorder, {})).toHaveLength(50);
    expect(await parseNames(recorder, { limit: 60 })).toHaveLength(60);
    expect(await parseNames(recorder, { limit: 1 })).toEqual(['s59']);
  });

  it.each([
    [{ limit: 0 }, 'limit must be at least 1 (minimum value)'],
    [{ limit: 1_001 }, 'limit must be at most 1000 (maximum value)'],
    [{ limit: '5' }, 'limit must be a number'],
    [{ eventType: 'Error' }, 'eventType must be one of the enum values: Normal, Warning'],
    [{ follow: 'yes' }, 'follow must be a boolean'],
    [
      { kind: 'MCPServer' },
      'unknown args: [kind]. Allowed args: [resourceType, resourceName, namespace, eventType, since, until, limit, follow]',
    ],
    [{ since: 'yesterday' }, `Invalid 'since' time format: "yesterday" ${NEITHER}`],
    [{ until: '1d' }, `Invalid 'until' time format: "1d" ${NEITHER}`],
  ])('refuses %o', async (args, text) =>
    expect(await call(worldOf([]).recorder, args)).toEqual(failure(text)),
  );

  it('reports that events are not available', async () => {
    expect(await call(failing('the owner is gone'))).toEqual(
      failure('Failed to query events: the owner is gone'),
    );
  });
});

/** The context of a call whose caller opens channels like this. */
const contextOf = (
  openNotificationChannel: NonNullable<Caller['openNotificationChannel']>,
): CoreCallContext => ({
  caller: {
    capabilities: {},
    takesInputRequired: false,
    logLevel: undefined,
    identity: 's1',
    ask: () => Promise.reject(new Error('not used')),
    notify: () => undefined,
    openNotificationChannel,
  },
});

/** A session that records the notifications that it receives. */
const listener = () => {
  const heard: { readonly method: string; readonly params: object }[] = [];
  const channels: { readonly name: string; readonly end: () => void }[] = [];
  const open: NonNullable<Caller['openNotificationChannel']> = (name) => {
    for (const known of channels) if (known.name === name) known.end();
    const ends: (() => void)[] = [];
    const channel: NotificationChannel = {
      notify: (notification) => heard.push(notification),
      onEnd: (end) => void ends.push(end),
      end: () => {
        for (const end of ends.splice(0)) end();
      },
    };
    channels.push({ name, end: channel.end });
    return Promise.resolve({ ok: true, channel });
  };
  return { heard, channels, context: contextOf(open) };
};

const nameOf = ({ params }: { readonly params: object }): unknown =>
  (params as { readonly resource_name?: unknown }).resource_name;

describe('following events', () => {
  it('returns the stored events, then sends each occurrence without a count', async () => {
    const { recorder } = worldOf([failed('files')]);
    const { heard, context } = listener();
    const result = await call(recorder, { follow: true }, context);
    expect(itemsOf(result)).toEqual([files]);
    expect(result['structuredContent']).toEqual({ events: [files], following: true });
    recorder.emit(failed('files'));
    recorder.emit(failed('files'));
    const notification = { method: 'notifications/gateway/event', params: files };
    expect(heard).toEqual([notification, notification]);
  });

  it('sends only matching events', async () => {
    const { recorder } = worldOf([]);
    const { heard, context } = listener();
    await call(recorder, { follow: true, resourceType: 'MCPServer' }, context);
    recorder.emit(deployed);
    recorder.emit(failed('files'));
    expect(heard.map(nameOf)).toEqual(['files']);
  });

  it('sends every event during the query exactly once', async () => {
    const { recorder } = worldOf([failed('a')]);
    const { heard, context } = listener();
    const slow = {
      subscribe: recorder.subscribe,
      query: async (asked: Parameters<EventRecorder['query']>[0]) => {
        recorder.emit(failed('before'));
        const found = await recorder.query(asked);
        recorder.emit(failed('after'));
        return found;
      },
    };
    const result = await call(slow, { follow: true }, context);
    expect(itemsOf(result).map(({ resource_name: name }) => name)).toEqual(['before', 'a']);
    expect(heard.map(nameOf)).toEqual(['after']);
  });

  it('uses one stream per session: a new subscription ends the previous one', async () => {
    const { recorder } = worldOf([]);
    const { heard, channels, context } = listener();
    await call(recorder, { follow: true }, context);
    await call(recorder, { follow: true, resourceName: 'b' }, context);
    recorder.emit(failed('a'));
    recorder.emit(failed('b'));
    expect(heard.map(nameOf)).toEqual(['b']);
    channels.at(-1)?.end();
    recorder.emit(failed('b'));
    expect(heard).toHaveLength(1);
  });

  it.each([
    [
      'no-session',
      'Failed to follow events: they are sent to the session of a client, and this one has none; ask again later with since instead',
    ],
    [
      'no-stream',
      'Failed to follow events: the session has no open stream to send them on; open one with GET and ask again',
    ],
  ] as const)('is refused with %s', async (code, text) => {
    const context = contextOf(() => Promise.resolve({ ok: false, code }));
    const refused = await call(worldOf([]).recorder, { follow: true }, context);
    expect(refused).toEqual(failure(text, { code }));
  });

  it('is refused without sessions, and fails when events are not available', async () => {
    const { recorder } = worldOf([]);
    expect(await call(recorder, { follow: true })).toMatchObject({ isError: true });
    const { heard, context } = listener();
    const result = await call(
      { ...failing('gone'), subscribe: recorder.subscribe },
      { follow: true },
      context,
    );
    expect(result).toEqual(failure('Failed to query events: gone'));
    recorder.emit(failed('a'));
    expect(heard).toEqual([]);
  });
});
