import { describe, expect, it } from 'vitest';
import type { ResponseSink, SettledResponse } from '../src/protocol/results.ts';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { PeerBus, Relays } from '../src/wire/peers.ts';
import { RunningCalls } from '../src/calls/running-call.ts';
import { RequestStates, SuspendedCalls } from '../src/calls/suspended-calls.ts';
import { memoryBus } from './peer-bus.ts';
import { interactiveService } from './interactive-service.ts';

const limits = DEFAULT_MCP_HTTP_LIMITS;

/** A way to a client on a kept-alive connection, with what still waits for the end of that. */
const keptAlive = () => {
  const waiting = new Set<() => void>();
  const settled: SettledResponse[] = [];
  const way: ResponseSink = {
    canStream: true,
    notify: () => undefined,
    send: () => true,
    keepAlive: () => undefined,
    settle: (one) => settled.push(one),
    onDisconnect: (listener) => {
      waiting.add(listener);
      return () => waiting.delete(listener);
    },
  };
  return { waiting, settled, way };
};

describe('the retry of a call in a process that cannot be asked', () => {
  it.each([
    ['since there is no other', undefined, limits.maxRelays],
    ['since too many are under way', memoryBus().join('here'), 0],
  ])('leaves nothing behind on the connection, %s', (_why, peers, maxRelays) => {
    const bus = new PeerBus(peers);
    const key = Buffer.alloc(32);
    const states = new RequestStates(key);
    const relays = new Relays(bus, { ...limits, maxRelays });
    const { service } = interactiveService();
    const calls = new RunningCalls(limits);
    const suspended = new SuspendedCalls({ service, limits, bus, key }, calls, relays);
    const { waiting, settled, way } = keptAlive();
    const { state } = states.issue('elsewhere');
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} } as const;
    const scope = {
      era: 'modern',
      principal: { key: 'anonymous', subject: 'anonymous' },
      session: undefined,
      header: () => undefined,
      sink: way,
    } as const;
    expect(suspended.isRetry({ request, scope }, state)).toBe(true);
    suspended.resume({ request, scope }, state);
    expect(settled).toEqual([
      {
        message:
          '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"The call of this requestState is over or has expired; start it again"}}',
        status: 200,
      },
    ]);
    expect([waiting.size, relays.size]).toEqual([0, 0]);
  });
});
