import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutgoingRequests, type OutgoingRequest } from '../src/requests/outgoing-requests.ts';
import type { RequestOutcome } from '../src/wire/request-outcome.ts';
import type { Wire, WireRequest } from '../src/wire/wire.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends a request over a wire that answers nothing. */
const send = (request: Pick<OutgoingRequest, 'timeoutMs' | 'maxTimeoutMs' | 'options'>) => {
  const sent: WireRequest[] = [];
  const exchange = { finish: () => undefined, abandon: () => undefined };
  const wire: Wire = {
    hasPerRequestStream: true,
    hasSession: false,
    start: () => Promise.resolve(),
    setProtocolVersion: () => undefined,
    exchange: (message) => {
      sent.push(message);
      return exchange;
    },
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const outgoing = new OutgoingRequests(wire, () => undefined, {
    incoming: { onRequestOver: () => undefined, onLateAnswer: () => undefined },
    onRequestsFail: () => undefined,
    onSessionRefused: () => Promise.resolve(false),
  });
  let outcome: RequestOutcome | undefined;
  void outgoing
    .request({ method: 'tools/call', params: {}, ...request })
    .then((ended) => (outcome = ended));
  return {
    meta: sent[0]?.params['_meta'],
    id: sent[0]?.id,
    progress: () => outgoing.running.values()[0]?.onProgress({ progress: 1 }),
    outcomeAfter: async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return outcome;
    },
  };
};

const timeout = (timeoutMs: number) => ({ ok: false, failure: { kind: 'timeout', timeoutMs } });

describe('the time of a call', () => {
  it('is not extended by progress without a maximum', async () => {
    const { progress, outcomeAfter } = send({ timeoutMs: 1_000 });
    expect(await outcomeAfter(900)).toBeUndefined();
    progress();
    expect(await outcomeAfter(150)).toEqual(timeout(1_000));
  });

  it('begins again with each progress', async () => {
    const { progress, outcomeAfter } = send({ timeoutMs: 1_000, maxTimeoutMs: 60_000 });
    for (let report = 0; report < 5; report += 1) {
      expect(await outcomeAfter(900)).toBeUndefined();
      progress();
    }
    expect(await outcomeAfter(900)).toBeUndefined();
    expect(await outcomeAfter(150)).toEqual(timeout(5_500));
  });

  it('ends at its maximum, whatever the progress', async () => {
    const { progress, outcomeAfter } = send({ timeoutMs: 1_000, maxTimeoutMs: 1_500 });
    expect(await outcomeAfter(900)).toBeUndefined();
    progress();
    expect(await outcomeAfter(550)).toBeUndefined();
    progress();
    expect(await outcomeAfter(100)).toEqual(timeout(1_500));
  });
});

describe('a request', () => {
  it('asks for progress when progress can extend it', () => {
    const { meta, id } = send({ timeoutMs: 1_000, maxTimeoutMs: 1_500 });
    expect(meta).toEqual({ progressToken: id });
  });

  it('does not ask for progress that nobody receives', () => {
    expect(send({ timeoutMs: 1_000, maxTimeoutMs: 1_000 }).meta).toBeUndefined();
    expect(send({ timeoutMs: 1_000 }).meta).toBeUndefined();
  });

  it('reports progress to its caller', () => {
    const onProgress = vi.fn();
    send({ timeoutMs: 1_000, options: { onProgress } }).progress();
    expect(onProgress.mock.calls).toEqual([[{ progress: 1 }]]);
  });
});
