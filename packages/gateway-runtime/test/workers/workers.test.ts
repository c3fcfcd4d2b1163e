import { pino } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { PeerRelay } from '../../src/workers/peer-relay.ts';
import { SharedMetrics } from '../../src/workers/shared-metrics.ts';
import { WorkerMetrics } from '../../src/workers/worker-metrics.ts';
import { workerPeers } from '../../src/workers/worker-peers.ts';
import {
  replacementDelayMs,
  WorkerPool,
  type PoolWorker,
  type WorkerEnd,
} from '../../src/workers/worker-pool.ts';
import { channels } from './channels.ts';
import { eventually } from '@gateway/repo-checks';

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('peers', () => {
  const trio = () => {
    const relay = new PeerRelay();
    return ['a', 'b', 'c'].map((id) => {
      const { primary, worker, close } = channels();
      relay.add(id, primary.port('peers'));
      const peers = workerPeers(id, worker.port('peers'));
      const seen: unknown[] = [];
      const stop = peers.onMessage((message) => seen.push(message));
      return { peers, seen, stop, close };
    });
  };

  it('receive broadcasts, and only the addressee receives other messages', async () => {
    const [a, b, c] = trio();
    a!.peers.send({ kind: 'x', body: { __proto__: null, 'k/1': [1] } });
    a!.peers.send({ kind: 'y', to: 'c' });
    a!.peers.send({ kind: 'z', to: 'nobody' });
    await eventually(() => expect(c!.seen).toHaveLength(2));
    expect(a!.seen).toEqual([]);
    expect(b!.seen).toEqual([{ kind: 'x', body: { 'k/1': [1] } }]);
    expect(c!.seen).toEqual([
      { kind: 'x', body: { 'k/1': [1] } },
      { kind: 'y', to: 'c' },
    ]);
  });

  it('receive nothing after they stop or end', async () => {
    const [a, b, c] = trio();
    b!.stop();
    c!.close();
    a!.peers.send({ kind: 'x' });
    await turn();
    expect([b!.seen, c!.seen]).toEqual([[], []]);
  });
});

describe('the metrics of all workers', () => {
  const files = {
    servers: () => [{ name: 'files' }],
    workflows: () => [],
    personalConnections: () => new Map([['files', 3]]),
  };
  const member = (shared: SharedMetrics) => {
    const { primary, worker, close } = channels();
    const registry = new Registry();
    const registers = [registry];
    const calls = new Counter({ name: 'calls_total', help: 'c', labelNames: ['tool'], registers });
    const about = { name: 'requests_total', help: 'r', labelNames: ['server'] };
    const requests = new Counter({ ...about, registers });
    const sessions = new Gauge({ name: 'sessions', help: 's', registers });
    const state = new Gauge({
      name: 'gateway_server_state',
      help: 's',
      labelNames: ['server'],
      registers,
    });
    state.set({ server: 'files' }, 1);
    shared.add(primary.port('metrics'));
    const metrics = new WorkerMetrics(worker.port('metrics'));
    metrics.collectWith(() => registry.getMetricsAsJSON());
    return { calls, requests, sessions, metrics, close };
  };
  const lines = async ({ scrape }: { scrape: () => Promise<{ text: string }> }, word: RegExp) =>
    (await scrape()).text.split('\n').filter((line) => word.test(line));

  it('are sums, except for values that every worker has', async () => {
    const shared = new SharedMetrics(files);
    const [one, other] = [member(shared), member(shared)];
    one.calls.inc({ tool: 'a' }, 2);
    other.calls.inc({ tool: 'a' }, 3);
    other.calls.inc({ tool: 'b' });
    one.sessions.set(4);
    other.sessions.set(5);
    const scrape = () => one.metrics.scrape();
    expect(await lines({ scrape }, /^(calls|sessions|gateway_)/u)).toEqual([
      'gateway_audit_records_lost_total 0',
      'gateway_personal_connections{server="files"} 3',
      'gateway_worker_replacements_total 0',
      'gateway_workers 2',
      'calls_total{tool="a"} 5',
      'calls_total{tool="b"} 1',
      'sessions 9',
      'gateway_server_state{server="files"} 1',
    ]);
  });

  it('retain the counters of a worker that ended, but not its sessions', async () => {
    const shared = new SharedMetrics(files);
    const [one, other] = [member(shared), member(shared)];
    one.calls.inc({ tool: 'a' }, 2);
    one.sessions.set(4);
    other.sessions.set(5);
    const scrape = () => other.metrics.scrape();
    expect(await lines({ scrape }, /^(calls|sessions)/u)).toEqual([
      'calls_total{tool="a"} 2',
      'sessions 9',
    ]);
    one.close();
    shared.replaced();
    expect(await lines({ scrape }, /^(calls|sessions|gateway_w)/u)).toEqual([
      'gateway_worker_replacements_total 1',
      'gateway_workers 1',
      'calls_total{tool="a"} 2',
      'sessions 5',
    ]);
  });

  it('have no series of deleted servers, of workers that ended neither', async () => {
    const existing = { servers: [{ name: 'files' }, { name: 'old' }] };
    const shared = new SharedMetrics({
      personalConnections: () => new Map(),
      servers: () => existing.servers,
      workflows: () => [],
    });
    const [one, other] = [member(shared), member(shared)];
    for (const { requests } of [one, other]) {
      requests.inc({ server: 'files' });
      requests.inc({ server: 'old' });
    }
    const scrape = () => other.metrics.scrape();
    expect(await lines({ scrape }, /^requests/u)).toEqual([
      'requests_total{server="files"} 2',
      'requests_total{server="old"} 2',
    ]);
    existing.servers = [{ name: 'files' }];
    one.close();
    expect(await lines({ scrape }, /^requests/u)).toEqual(['requests_total{server="files"} 2']);
  });

  it('do not wait for a worker that does not answer', async () => {
    const shared = new SharedMetrics(files);
    const [one, stuck] = [member(shared), member(shared)];
    stuck.metrics.collectWith(() => new Promise(() => undefined));
    one.calls.inc({ tool: 'a' });
    const scrape = () => one.metrics.scrape();
    expect(await lines({ scrape }, /^calls/u)).toEqual(['calls_total{tool="a"} 1']);
  });
});

describe('a pool', () => {
  interface Fake extends PoolWorker {
    readonly number: number;
    readonly end: (end: WorkerEnd) => void;
    readonly asked: string[];
  }
  const pool = (
    size: number,
    listen: (number: number) => Promise<string> = () => Promise.resolve('url'),
  ) => {
    const workers: Fake[] = [];
    const logs: Record<string, unknown>[] = [];
    const logger = pino(
      { base: null, timestamp: false },
      { write: (line: string) => logs.push(JSON.parse(line) as Record<string, unknown>) },
    );
    const start = (number: number): PoolWorker => {
      let end: Fake['end'] = () => undefined;
      const ended = new Promise<WorkerEnd>((resolve) => {
        end = resolve;
      });
      const asked: string[] = [];
      const fake: Fake = {
        number,
        pid: 100 + workers.length,
        listening: listen(number),
        ended,
        end,
        asked,
        drain: () => asked.push('drain'),
        kill: () => {
          asked.push('kill');
          end({ code: null, signal: 'SIGKILL' });
        },
      };
      workers.push(fake);
      return fake;
    };
    const backoff = { initialMs: 20, maxMs: 1_000, stableAfterMs: 10_000 };
    return { workers, logs, pool: new WorkerPool({ size, start, logger, backoff }) };
  };

  it('listens when all workers listen, and fails when one cannot', async () => {
    expect(await pool(2).pool.listening).toBe('url');
    const refused = pool(2, (number) =>
      number === 2 ? Promise.reject(new Error('the port is taken')) : Promise.resolve('url'),
    );
    await expect(refused.pool.listening).rejects.toThrow('the port is taken');
  });

  it('replaces a worker at once, and one that ends repeatedly with exponential backoff', async () => {
    const { workers, logs, pool: services } = pool(2);
    await services.listening;
    workers[1]!.end({ code: 1, signal: null });
    await eventually(() => expect(workers.map(({ number }) => number)).toEqual([1, 2, 2]));
    workers[2]!.end({ code: null, signal: 'SIGSEGV' });
    await eventually(() => expect(workers).toHaveLength(4));
    expect(logs).toEqual([
      {
        level: 50,
        worker: 2,
        pid: 101,
        code: 1,
        restartMs: 0,
        msg: 'worker ended, starting another',
      },
      {
        level: 50,
        worker: 2,
        pid: 102,
        signal: 'SIGSEGV',
        restartMs: 20,
        msg: 'worker ended, starting another',
      },
    ]);
    await services.close();
  });

  it('doubles the delay up to a maximum', () => {
    const backoff = { initialMs: 250, maxMs: 10_000, stableAfterMs: 30_000 };
    expect([0, 1, 2, 3, 7, 2_000].map((lives) => replacementDelayMs(lives, backoff))).toEqual([
      0, 250, 500, 1_000, 10_000, 10_000,
    ]);
  });

  it('drains all workers, replaces none, and kills those that do not end', async () => {
    const { workers, logs, pool: services } = pool(2);
    await services.listening;
    const drained = services.drain(30);
    workers[0]!.end({ code: 0, signal: null });
    await drained;
    expect(workers.map(({ asked }) => asked)).toEqual([['drain'], ['drain', 'kill']]);
    expect(workers).toHaveLength(2);
    expect(logs).toEqual([]);
  });
});
