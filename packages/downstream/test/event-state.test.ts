import { describe, expect, it } from 'vitest';
import type { GatewayEvent } from '@gateway/events';
import type { McpServerStatus } from '@gateway/crd-schemas';
import type { MachineEvent } from '../src/connections/machine.ts';
import { computeStatus } from '../src/views/fleet-views.ts';
import { INITIAL_STATE, computeTransition } from '../src/connections/machine.ts';
import type { MachineState } from '../src/connections/machine.ts';
import { ServerHistory } from '../src/connections/server-history.ts';
import { defineServer } from './harness/servers.ts';

const remote = defineServer('prom', { type: 'streamable-http', url: 'http://127.0.0.1:1/mcp' });
const overSse = defineServer('prom', { type: 'sse', url: 'http://127.0.0.1:1/sse' });
const world = {
  opens: 'by-itself' as const,
  random: 0,
  backoff: { firstMs: 100, maxMs: 1_000, jitter: 0.5, stableAfterMs: 1, checkMs: 1 },
};
const START = Date.parse('2026-01-01T00:00:00Z');

const createFailure = (attempt: number, reason = 'refused'): MachineEvent => ({
  kind: 'failed',
  attempt,
  failure: { reason, code: 'other' },
});
const unauthorized = (attempt: number): MachineEvent => ({
  kind: 'unauthorized',
  attempt,
  failure: { reason: 'the server requires authentication', code: 'auth-required' },
});
const connected = (attempt: number): MachineEvent => ({ kind: 'connected', attempt });
const closed = (attempt: number): MachineEvent => ({ kind: 'closed', attempt });
const start: MachineEvent = { kind: 'start' };
const stop: MachineEvent = { kind: 'stop' };
const restart: MachineEvent = { kind: 'restart' };
const retry: MachineEvent = { kind: 'retry-due' };

/** A server's history, a second of wall clock per event unless told. */
const told = () => {
  const events: GatewayEvent[] = [];
  const seven = { tools: 7, listProblems: [] };
  let state: MachineState = INITIAL_STATE;
  let now = START;
  let last: McpServerStatus | undefined;
  const history = new ServerHistory({ emit: (event) => events.push(event), wallNow: () => now });
  const health = { level: 'healthy' } as const;
  return {
    history,
    seven,
    setClock: (ms: number) => (now = ms),
    status: (): McpServerStatus => {
      const { record } = history;
      last = computeStatus({ definition: remote, state, health, ...seven, record, at: now }, last);
      return last;
    },
    /** The reasons that the events have told, and their errors. */
    take: (...course: readonly MachineEvent[]): string => {
      const from = events.length;
      for (const event of course) {
        now += 1_000;
        const before = state;
        state = computeTransition(before, event, world).state;
        history.take(remote, { before, event, after: state }, seven);
      }
      return events
        .slice(from)
        .map((event) => `${event.reason} ${'error' in event ? event.error : ''}`.trim())
        .join(', ')
        .replaceAll('MCPServer', '');
    },
    last: () => events.at(-1),
  };
};

describe('the events of a server', () => {
  it('report a requested start, and a stop', () => {
    const { take, last } = told();
    expect(take(start, connected(1))).toBe('Starting, Started, ToolsDiscovered');
    const discovered = { reason: 'MCPServerToolsDiscovered', tools: 7 };
    expect(last()).toEqual({ name: 'prom', namespace: 'default', ...discovered });
    expect(take(stop)).toBe('');
    expect(take(closed(1))).toBe('Stopped');
  });

  it('report a requested restart once', () => {
    const { take } = told();
    take(start, connected(1));
    expect(take(restart, closed(1), connected(2))).toBe('Restarting, Started, ToolsDiscovered');
    expect(take(createFailure(2), restart)).toBe(
      'Failed refused, ToolsUnavailable refused, Restarting',
    );
  });

  it('report an outage and its recovery once, whatever the number of attempts', () => {
    const { take } = told();
    take(start, connected(1));
    expect(take(createFailure(1, 'reset'))).toBe('Failed reset, ToolsUnavailable reset');
    expect(take(retry, createFailure(2))).toBe('RecoveryStarted, RecoveryFailed refused');
    expect(take(retry, createFailure(3), retry, createFailure(4))).toBe('');
    expect(take(retry, createFailure(5, 'HTTP 500'))).toBe('RecoveryFailed HTTP 500');
    expect(take(retry, connected(6))).toBe('RecoverySucceeded, ToolsDiscovered');
  });

  it('report a server that never started, without lost tools', () => {
    const { take } = told();
    expect(take(start, createFailure(1))).toBe('Starting, Failed refused');
  });

  it('report a required sign-in, and no recovery', () => {
    const { take } = told();
    expect(take(start, unauthorized(1))).toBe('Starting, AuthRequired');
    expect(take(start, connected(2), unauthorized(2))).toBe(
      'Starting, Started, ToolsDiscovered, AuthRequired, ToolsUnavailable the server requires authentication',
    );
    expect(take(stop)).toBe('Stopped');
  });

  it('report refused credentials once, and the recovery', () => {
    const { take } = told();
    expect(take(start, unauthorized(1), retry)).toBe('Starting, AuthRequired, RecoveryStarted');
    expect(take(unauthorized(2), retry, unauthorized(3), retry)).toBe('');
    expect(take(connected(4))).toBe('RecoverySucceeded, ToolsDiscovered');
  });

  it('report each change of health once, and the health of a replaced server', () => {
    const { take, history, last } = told();
    take(start, connected(1));
    history.takeHealth(remote, { level: 'degraded', reason: 'no answer within 10 s' });
    expect(take()).toBe('');
    history.takeHealth(remote, { level: 'unhealthy', reason: 'no answer within 10 s' });
    history.takeHealth(remote, { level: 'unhealthy', reason: 'HTTP 500' });
    const failure = { reason: 'MCPServerHealthCheckFailed', error: 'no answer within 10 s' };
    expect(last()).toEqual({ name: 'prom', namespace: 'default', ...failure });
    history.takeHealth(remote, { level: 'healthy' });
    expect(last()?.reason).toBe('MCPServerHealthCheckSucceeded');
    history.takeHealth(remote, { level: 'unhealthy', reason: 'HTTP 500' });
    expect(take(createFailure(1), retry, connected(2))).toBe(
      'Failed refused, ToolsUnavailable refused, RecoveryStarted, RecoverySucceeded, HealthCheckSucceeded, ToolsDiscovered',
    );
  });
});

/** A condition that changed so many seconds after the start. */
const condition = (second: number, type: string, status: string, facts: object) => {
  const lastTransitionTime = `2026-01-01T00:00:0${second}.000Z`;
  return { type, status, ...facts, lastTransitionTime };
};

describe('the status of a server', () => {
  it('begins with a server that was never started', () => {
    const state = 'Disconnected';
    expect(told().status()).toEqual({
      state,
      restartCount: 0,
      consecutiveFailures: 0,
      conditions: [
        condition(0, 'Ready', 'False', { reason: state, message: 'The server is Disconnected.' }),
        condition(0, 'ToolsDiscovered', 'False', {
          reason: 'NotConnected',
          message: 'Tools are known while it is connected.',
        }),
      ],
    });
  });

  it('dates each transition, and retains the last error until the server is connected again', () => {
    const { take, status } = told();
    take(start, createFailure(1));
    expect(status()).toMatchObject({
      state: 'Failed',
      lastError: 'refused',
      restartCount: 0,
      consecutiveFailures: 1,
      lastAttempt: '2026-01-01T00:00:01.000Z',
      nextRetryAfter: '2026-01-01T00:00:02.050Z',
    });
    take(retry);
    expect(status()).toMatchObject({ state: 'Connecting', lastError: 'refused', restartCount: 1 });
    expect(status()).not.toHaveProperty('nextRetryAfter');
    expect(status()).not.toHaveProperty('tools');
    take(connected(2));
    const lastConnected = '2026-01-01T00:00:04.000Z';
    expect(status()).not.toHaveProperty('lastError');
    expect(status()).toMatchObject({ state: 'Connected', tools: 7, lastConnected });
    expect(status().conditions).toEqual([
      condition(4, 'Ready', 'True', {
        reason: 'Connected',
        message: 'The server answers requests.',
      }),
      condition(4, 'ToolsDiscovered', 'True', {
        reason: 'ToolsListed',
        message: 'The server lists 7 tools.',
      }),
    ]);
    take({ kind: 'stable', attempt: 2 });
    const stable = { lastConnected, restartCount: 1, consecutiveFailures: 0 };
    expect(status()).toMatchObject(stable);
  });

  it('is the same object while unchanged, and preserves the time of an unchanged condition', () => {
    const { take, status, setClock } = told();
    take(start, createFailure(1));
    const before = status();
    setClock(START + 9_000_000);
    expect(status()).toBe(before);
    take(retry);
    expect(status().conditions.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
      before.conditions.map(({ lastTransitionTime }) => lastTransitionTime),
    );
  });

  it('counts on and plans from now when the clock is set back a day', () => {
    const { take, status, setClock } = told();
    take(start, connected(1));
    setClock(START - 86_400_000);
    take(createFailure(1));
    expect(status()).toMatchObject({
      lastConnected: '2026-01-01T00:00:02.000Z',
      nextRetryAfter: '2025-12-31T00:00:01.050Z',
      restartCount: 0,
    });
    take(retry, connected(2));
    expect(status()).toMatchObject({ restartCount: 1, lastConnected: '2025-12-31T00:00:03.000Z' });
  });

  it('of an unhealthy server is connected and not ready, names no folders of this machine, and counts the tools', () => {
    const { history, seven } = told();
    const state: MachineState = { ...INITIAL_STATE, phase: { kind: 'live', attempt: 1 } };
    const health = { level: 'unhealthy', reason: 'lost /srv/team/socket' } as const;
    const { record } = history;
    const given = { definition: overSse, state, health, ...seven, tools: 1, record, at: START };
    const status = computeStatus(given, undefined);
    expect(status.state).toBe('Connected');
    const unhealthy = { status: 'False', reason: 'Unhealthy', message: 'lost [path]/socket' };
    const listed = { message: 'The server lists 1 tool.' };
    expect(status.conditions).toMatchObject([unhealthy, listed]);
  });
});
