import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { blockedMs, measureLoopDelays, recordWait } from '../src/event-loop-delay.ts';
import { collectProcessMetrics } from '../src/process-metrics.ts';

const names = async (registry: Registry): Promise<string[]> =>
  (await registry.getMetricsAsJSON()).map(
    ({ name, help, aggregator }) => `${name} ${help} ${aggregator}`,
  );

/** Keeps the thread busy. */
const block = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

it('registers the names, texts and aggregators of the library', async () => {
  const own = new Registry();
  const library = new Registry();
  collectProcessMetrics({ collectDefaultMetrics, Gauge }, own);
  collectDefaultMetrics({ register: library });
  expect((await names(own)).toSorted()).toEqual((await names(library)).toSorted());
});

it('measures a blocked event loop, from whose length the first delay is taken', async () => {
  const registry = new Registry();
  collectProcessMetrics({ collectDefaultMetrics, Gauge }, registry);
  const valueOf = async (name: string): Promise<number> => {
    const text = await registry.metrics();
    return Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(text)?.[1]);
  };
  block(300);
  await wait(0);
  await wait(0);
  expect(await valueOf('nodejs_eventloop_lag_max_seconds')).toBeGreaterThan(0.2);
  expect(await valueOf('nodejs_eventloop_lag_max_seconds')).toBeLessThan(60);
});

it('returns the delays since the last call, and zeros without any', async () => {
  const take = measureLoopDelays();
  expect(take()).toEqual({ min: 0, max: 0, mean: 0, stddev: 0, p50: 0, p90: 0, p99: 0 });
  block(200);
  await wait(0);
  await wait(0);
  expect(take().max).toBeGreaterThan(100e6);
  expect(take().max).toBe(0);
});

/** After this time and these turns, a timer of 20 ms would be late, and one of 4 s is not. */
const atRest = () => wait(200);
const turns = async (): Promise<void> => {
  await wait(0);
  await wait(0);
};

describe('at rest', () => {
  it.each([
    ['a request', 'request'],
    ['a reading', 'read'],
  ])('a blocked event loop is reported when %s ends the rest', async (_what, by) => {
    const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const take = measureLoopDelays();
    await atRest();
    block(150);
    await turns();
    if (by === 'request') {
      const { port } = server.address() as AddressInfo;
      await (await fetch(`http://127.0.0.1:${port}/`)).text();
    }
    expect(take().max).toBeGreaterThan(100e6);
  });

  it('a late timer is reported once, and not again with the next wait', async () => {
    const take = measureLoopDelays();
    block(300);
    await turns();
    take();
    await atRest();
    expect(take().p99).toBeLessThan(100e6);
  });
});

it.each([
  [1_000, 1_862, 0],
  [120, 300, 0],
  [1_000, 8, 992],
  [1_000, 110, 890],
  [0.4, 1, 0],
])('finds the delay in %d ms of work in %d turns: %d ms', (activeMs, turnCount, delayMs) => {
  expect(blockedMs(activeMs, turnCount)).toBe(delayMs);
});

it.each([
  ['one of 1.1 s in 16 s at rest is no percentile', 1, 1e6],
  ['every one of 1.1 s is each percentile', 4, 1100e6],
])('weights the delays of a loop at rest by their time: %s', (_what, late, p99) => {
  const histogram = createHistogram({ figures: 3 });
  let beforeNs = late === 4 ? 1100e6 : 1e6;
  for (let at = 0; at < 4; at += 1) {
    const lateNs = at < late ? 1100e6 : 1e6;
    recordWait(histogram, { waitedMs: 4000, longestNs: lateNs, lateNs, beforeNs });
    beforeNs = lateNs;
  }
  expect(histogram.percentile(99) / p99).toBeCloseTo(1, 2);
  expect(histogram.max / 1100e6).toBeCloseTo(1, 2);
});

it('counts the longest delay of a wait once', () => {
  const histogram = createHistogram({ figures: 3 });
  recordWait(histogram, { waitedMs: 4000, longestNs: 90e6, lateNs: 2e6, beforeNs: 3e6 });
  expect(histogram.count).toBe(200);
  expect(histogram.max / 90e6).toBeCloseTo(1, 2);
  expect(histogram.percentile(99) / 2e6).toBeCloseTo(1, 2);
});

it('counts a delay of a loop that works once', () => {
  const histogram = createHistogram();
  recordWait(histogram, { waitedMs: 20, longestNs: 5, lateNs: 5, beforeNs: 1 });
  expect(histogram.count).toBe(1);
});
