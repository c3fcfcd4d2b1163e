import { EventRecorder, type GatewayEvent, type StoredEvent } from '@gateway/events';
import { createMemoryStore, type StateStore } from '@gateway/state-store';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventReplicas, type EventReplicaTimes } from '../../src/replicas/event-replicas.ts';
import { connectReplicaPeers } from '../../src/replicas/join-replicas.ts';

const until = { timeout: 60_000, interval: 5 };

const failed = (name: string): GatewayEvent => ({ reason: 'MCPServerFailed', name, error: 'gone' });
const ran = (execution: string): GatewayEvent => {
  return { reason: 'WorkflowExecutionStarted', name: 'w', execution };
};
const signedIn: GatewayEvent = { reason: 'MCPServerUserSignedIn', name: 'a' };

const TIMES = { gatherMs: 1, historyMs: 100, headMs: 20, repairMs: 200 };

/** A process with a recorder and what a follower of it gets. */
const startProcess = async (store: StateStore, times: Partial<EventReplicaTimes> = {}) => {
  const replicas = new EventReplicas(connectReplicaPeers(store, 'event-peers'), {
    ...TIMES,
    ...times,
  });
  const recorder = new EventRecorder({
    ...{ now: Date.now, warn: () => undefined, join: replicas.join },
  });
  onTestFinished(() => {
    replicas.close();
  });
  const followed: string[] = [];
  const brief = ({ name, reason, message, count }: StoredEvent): string =>
    reason === 'WorkflowExecutionStarted'
      ? message.replace(/.*execution: (.*)\)/u, '$1')
      : `${name} ${reason} x${String(count)}`;
  recorder.subscribe((event) => followed.push(brief(event)));
  await recorder.load();
  const events = async () => (await recorder.query({})).map(brief);
  return Object.assign(recorder, { followed, events, replicas });
};

/** A store that loses messages of recorders while `isAway`, and counts those with events. */
class LossyStore {
  isAway = false;
  lost = 0;

  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  of(): StateStore {
    const store = this.#store;
    const publish: StateStore['publish'] = (channel, text) => {
      if (!this.isAway) return store.publish(channel, text);
      if (text.includes('"kind":"events"')) this.lost += 1;
      return Promise.resolve();
    };
    return new Proxy(store, {
      get: (target, key) => {
        if (key === 'publish') return publish;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}

/** Two processes, of which the messages of the first may be lost. */
const startLossy = async () => {
  const store = createMemoryStore();
  const away = new LossyStore(store);
  return { away, a: await startProcess(away.of()), b: await startProcess(store) };
};

describe('replicas', () => {
  it('end without waiting for the earlier events of others', async () => {
    const peers = connectReplicaPeers(createMemoryStore(), 'event-peers');
    const replicas = new EventReplicas(peers, { ...TIMES, historyMs: 3_600_000 });
    const recorder = new EventRecorder({
      ...{ now: Date.now, warn: () => undefined, join: replicas.join },
    });
    const loaded = recorder.load();
    replicas.close();
    await expect(loaded).resolves.toBeUndefined();
  });

  it('have the events of each other, in order and once', async () => {
    const store = createMemoryStore();
    const [a, b, c] = [
      await startProcess(store),
      await startProcess(store),
      await startProcess(store),
    ];
    const names = Array.from({ length: 1_200 }, (_, at) => `run-${String(at)}`);
    for (const name of names) a.emit(ran(name));
    await expect.poll(() => [b.followed, c.followed]).toEqual([names, names]);
    b.emit(signedIn);
    c.emit(signedIn);
    await vi.waitFor(() => {
      for (const { followed } of [a, b, c]) {
        expect(followed.slice(1_200)).toEqual([
          'a MCPServerUserSignedIn x1',
          'a MCPServerUserSignedIn x2',
        ]);
      }
    }, until);
    expect(await a.events()).toEqual(await b.events());
  });

  it('show once what all of them observe, and what only one of them observes', async () => {
    const store = createMemoryStore();
    const [a, b] = [await startProcess(store), await startProcess(store)];
    a.emit(failed('both'));
    b.emit(failed('both'));
    a.emit(failed('one'));
    b.emit(failed('two'));
    await vi.waitFor(() => {
      for (const { followed } of [a, b]) {
        expect([...followed].sort()).toEqual([
          'both MCPServerFailed x1',
          'one MCPServerFailed x1',
          'two MCPServerFailed x1',
        ]);
      }
    }, until);
  });

  it('get what was lost while the store was away', async () => {
    const { away, a, b } = await startLossy();
    a.emit(ran('1'));
    await expect.poll(() => b.followed).toEqual(['1']);
    away.isAway = true;
    a.emit(ran('2'));
    await expect.poll(() => away.lost).toBe(1);
    away.isAway = false;
    a.emit(ran('3'));
    await expect.poll(() => b.followed).toEqual(['1', '2', '3']);
  });

  it('notice the loss of a last event without another one', async () => {
    const { away, a, b } = await startLossy();
    away.isAway = true;
    a.emit(ran('1'));
    await expect.poll(() => away.lost).toBe(1);
    away.isAway = false;
    await expect.poll(() => b.followed).toEqual(['1']);
  });

  it('have the events of before their start, without announcing them', async () => {
    const store = createMemoryStore();
    const a = await startProcess(store);
    a.emit(failed('x'));
    a.emit(signedIn);
    const b = await startProcess(store, { historyMs: 10_000 });
    expect(await b.events()).toEqual(await a.events());
    expect(b.followed).toEqual([]);
    a.emit(signedIn);
    b.emit(signedIn);
    await vi.waitFor(() => {
      expect(b.followed.at(-1)).toBe('a MCPServerUserSignedIn x3');
      expect(a.followed.at(-1)).toBe('a MCPServerUserSignedIn x3');
    }, until);
  });

  it('ignore what is no message', async () => {
    const store = createMemoryStore();
    const a = await startProcess(store);
    const stranger = connectReplicaPeers(store, 'event-peers');
    for (const body of [
      { kind: 'events', from: 'x', body: { previous: 0, last: 'y', events: [1, null, {}] } },
      { kind: '__proto__', from: 'x', body: {} },
      { kind: 'history', from: 'x', body: { events: { length: 9 }, isLast: true } },
      { kind: 'events', from: 1, body: {} },
      { kind: 'want', from: 'x', body: { after: {} } },
    ])
      stranger.send(body);
    const b = await startProcess(store);
    b.emit(failed('x'));
    await expect.poll(() => a.followed).toEqual(['x MCPServerFailed x1']);
  });
});
