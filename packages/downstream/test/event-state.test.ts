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
    take: (...course: readonly MachineEvent[]): readonly string[] => {
      const from = events.length;
      for (const event of course) {
        now += 1_000;
        const before = state;
        state = computeTransition(before, event, world).state;
        history.take(remote, { before, event, after: state }, seven);
      }
      return events
        .slice(from)
        .map((event) => [event.reason, 'error' in event ? event.error : ''].join(' ').trim());
    },
    last: () => events.at(-1),
  };
};

describe('the events of a server', () => {
  it('report a requested start, and a stop', () => {
    const { take, last } = told();
    expect(take(start, connected(1))).toEqual([
      'MCPServerStarting',
      'MCPServerStarted',
      'MCPServerToolsDiscovered',
    ]);
    expect(last()).toEqual({
      reason: 'MCPServerToolsDiscovered',
      name: 'prom',
      namespace: 'default',
      tools: 7,
    });
    expect(take(stop)).toEqual([]);
    expect(take(closed(1))).toEqual(['MCPServerStopped']);
  });

  it('report a requested restart once', () => {
    const { take } = told();
    take(start, connected(1));
    expect(take(restart, closed(1), connected(2))).toEqual([
      'MCPServerRestarting',
      'MCPServerStarted',
      'MCPServerToolsDiscovered',
    ]);
    expect(take(createFailure(2), restart)).toEqual([
      'MCPServerFailed refused',
      'MCPServerToolsUnavailable refused',
      'MCPServerRestarting',
    ]);
  });

  it('report an outage and its recovery once, whatever the number of attempts', () => {
    const { take } = told();
    take(start, connected(1));
    expect(take(createFailure(1, 'reset'))).toEqual([
      'MCPServerFailed reset',
      'MCPServerToolsUnavailable reset',
    ]);
    expect(take(retry, createFailure(2))).toEqual([
      'MCPServerRecoveryStarted',
      'MCPServerRecoveryFailed refused',
    ]);
    expect(take(retry, createFailure(3), retry, createFailure(4))).toEqual([]);
    expect(take(retry, createFailure(5, 'HTTP 500'))).toEqual(['MCPServerRecoveryFailed HTTP 500']);
    expect(take(retry, connected(6))).toEqual([
      'MCPServerRecoverySucceeded',
      'MCPServerToolsDiscovered',
    ]);
  });

  it('report a server that never started, without lost tools', () => {
    const { take } = told();
    expect(take(start, createFailure(1))).toEqual(['MCPServerStarting', 'MCPServerFailed refused']);
  });

  it('report a required sign-in, and no recovery', () => {
    const { take } = told();
    expect(take(start, unauthorized(1))).toEqual(['MCPServerStarting', 'MCPServerAuthRequired']);
    expect(take(start, connected(2), unauthorized(2))).toEqual([
      'MCPServerStarting',
      'MCPServerStarted',
      'MCPServerToolsDiscovered',
      'MCPServerAuthRequired',
      'MCPServerToolsUnavailable the server requires authentication',
    ]);
    expect(take(stop)).toEqual(['MCPServerStopped']);
  });

  it('report refused credentials once, and the recovery', () => {
    const { take } = told();
    expect(take(start, unauthorized(1), retry)).toEqual([
      'MCPServerStarting',
      'MCPServerAuthRequired',
      'MCPServerRecoveryStarted',
    ]);
    expect(take(unauthorized(2), retry, unauthorized(3), retry)).toEqual([]);
    expect(take(connected(4))).toEqual(['MCPServerRecoverySucceeded', 'MCPServerToolsDiscovered']);
  });

  it('report each change of health once, and the health of a replaced server', () => {
    const { take, history, last } = told();
    take(start, connected(1));
    history.takeHealth(remote, { level: 'degraded', reason: 'no answer within 10 s' });
    expect(take()).toEqual([]);
    history.takeHealth(remote, { level: 'unhealthy', reason: 'no answer within 10 s' });
    history.takeHealth(remote, { level: 'unhealthy', reason: 'HTTP 500' });
    expect(last()).toEqual({
      reason: 'MCPServerHealthCheckFailed',
      name: 'prom',
      namespace: 'default',
      error: 'no answer within 10 s',
    });
    history.takeHealth(remote, { level: 'healthy' });
    expect(last()?.reason).toBe('MCPServerHealthCheckSucceeded');
    history.takeHealth(remote, { level: 'unhealthy', reason: 'HTTP 500' });
    expect(take(createFailure(1), retry, connected(2)).slice(-3)).toEqual([
      'MCPServerRecoverySucceeded',
      'MCPServerHealthCheckSucceeded',
      'MCPServerToolsDiscovered',
    ]);
  });
});

describe('the status of a server', () => {
  it('begins with a server that was never started', () => {
    expect(told().status()).toEqual({
      state: 'Disconnected',
      restartCount: 0,
      consecutiveFailures: 0,
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'Disconnected',
          message: 'The server is Disconnected.',
          lastTransitionTime: '2026-01-01T00:00:00.000Z',
        },
        {
          type: 'ToolsDiscovered',
          status: 'False',
          reason: 'NotConnected',
          message: 'Tools are known while it is connected.',
          lastTransitionTime: '2026-01-01T00:00:00.000Z',
        },
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
    const well = status();
    expect(well).not.toHaveProperty('lastError');
    expect(well).toMatchObject({
      state: 'Connected',
      tools: 7,
      lastConnected: '2026-01-01T00:00:04.000Z',
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Connected',
          message: 'The server answers requests.',
          lastTransitionTime: '2026-01-01T00:00:04.000Z',
        },
        {
          type: 'ToolsDiscovered',
          status: 'True',
          reason: 'ToolsListed',
          message: 'The server lists 7 tools.',
          lastTransitionTime: '2026-01-01T00:00:04.000Z',
        },
      ],
    });
    take({ kind: 'stable', attempt: 2 });
    expect(status()).toMatchObject({
      lastConnected: '2026-01-01T00:00:04.000Z',
      restartCount: 1,
      consecutiveFailures: 0,
    });
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

  it('of an unhealthy server is connected and not ready', () => {
    const { history, seven } = told();
    const state: MachineState = { ...INITIAL_STATE, phase: { kind: 'live', attempt: 1 } };
    const health = { level: 'unhealthy', reason: 'HTTP 500' } as const;
    const { conditions, ...status } = computeStatus(
      { definition: overSse, state, health, ...seven, tools: 0, record: history.record, at: START },
      undefined,
    );
    expect(status.state).toBe('Connected');
    expect(conditions[0]).toMatchObject({
      status: 'False',
      reason: 'Unhealthy',
      message: 'HTTP 500',
    });
  });

  it('names no folders of this machine, and counts the tools', () => {
    const { history, seven } = told();
    const state: MachineState = { ...INITIAL_STATE, phase: { kind: 'live', attempt: 1 } };
    const health = { level: 'unhealthy', reason: 'lost /srv/team/socket' } as const;
    const { conditions } = computeStatus(
      { definition: overSse, state, health, ...seven, tools: 1, record: history.record, at: START },
      undefined,
    );
    expect(conditions.map(({ message }) => message)).toEqual([
      'lost [path]/socket',
      'The server lists 1 tool.',
    ]);
  });
});
