import { ANONYMOUS, createPrincipal, type AuthenticationOutcome } from '@gateway/call-contract';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startSample, type EndpointOptions } from './endpoint.ts';
import { call, rpc, until } from './wire-client.ts';

/** An endpoint behind a trusted proxy, so that a test can have many callers. */
const start = (options: EndpointOptions = {}) =>
  startSample({ ...options, trustedProxies: ['127.0.0.1'] });

const from = (address: string) => ({ 'x-forwarded-for': address });
const A = from('192.0.2.1');
const B = from('192.0.2.2');

describe('the rate limit', () => {
  const withBurst = (burst: number) => ({ rateLimit: { requestsPerSecond: 0.001, burst } });

  it('refuses a caller that exceeds it, and serves others', async () => {
    const { post, postModern, refusals } = await start(withBurst(2));
    for (let at = 0; at < 2; at += 1) expect((await post(rpc('ping'), A)).status).toBe(200);
    const { status, headers, json } = await post(rpc('ping'), A);
    expect([status, headers['retry-after']]).toEqual([429, '1000']);
    const message =
      'Too many requests of one caller: 0.001 per second are allowed; retry after 1000 s';
    const data = { reason: 'rate-limited', limit: 0.001 };
    expect(json).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32000, message, data } });
    expect((await postModern('tools/list', {}, { headers: A })).status).toBe(429);
    expect((await post(rpc('ping'), B)).status).toBe(200);
    expect(refusals).toEqual(['rate-limited', 'rate-limited']);
  });

  it('charges a batch with all of its messages', async () => {
    const { post } = await start(withBurst(4));
    const batch = [rpc('ping'), rpc('ping'), rpc('ping')];
    const headers = { ...A, 'mcp-protocol-version': '2025-03-26' };
    expect((await post(batch, headers)).status).toBe(200);
    expect((await post(batch, headers)).status).toBe(429);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    const { post } = await start(withBurst(1));
    const statuses: number[] = [];
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
      statuses.push((await post(rpc('ping'), from(address))).status);
    expect(statuses).toEqual([200, 429, 200]);
  });

  it('counts a principal wherever it comes from', async () => {
    const authenticate = ({ headers }: IncomingMessage): AuthenticationOutcome => {
      const subject = headers['x-user'];
      if (typeof subject !== 'string') return { ok: true, principal: ANONYMOUS };
      return { ok: true, principal: createPrincipal({ issuer: 'https://i.test', subject }) };
    };
    const { post } = await start({ ...withBurst(1), authenticate });
    const statuses: number[] = [];
    for (const headers of [{ ...A, 'x-user': 'u' }, { ...B, 'x-user': 'u' }, A])
      statuses.push((await post(rpc('ping'), headers)).status);
    expect(statuses).toEqual([200, 429, 200]);
  });

  it('applies to streams and to the end of sessions', async () => {
    const { send, startSession } = await start(withBurst(1));
    const headers = await startSession();
    for (const method of ['DELETE', 'GET'] as const)
      expect((await send({ method, headers })).status).toBe(429);
  });

  it('does not exist unless it is given', async () => {
    const { post } = await start();
    for (let count = 0; count < 500; count += 1) await post(rpc('ping'), A);
    expect((await post(rpc('ping'), A)).status).toBe(200);
  });
});

describe('the concurrent calls of a caller', () => {
  const LIMITS = { maxConcurrentCallsPerCaller: 2, maxQueuedCallsPerCaller: 1 };

  /** An endpoint with running calls of one caller. */
  const startCalls = async (count: number, limits: EndpointOptions['limits'] = {}) => {
    const endpoint = await start({ limits: { ...LIMITS, ...limits } });
    const running = Array.from({ length: count }, () => endpoint.post(call('hang'), A));
    await endpoint.untilWaiting(2);
    return { ...endpoint, running };
  };

  it('wait for each other, and do not delay other callers', async () => {
    const { post, sample, stats, running } = await startCalls(2);
    const queued = post(call('echo'), A);
    await until(() => stats().queuedCalls === 1);
    expect([(await post(call('echo'), B)).status, stats().inFlight]).toEqual([200, 2]);
    sample.release();
    await Promise.all(running);
    expect([(await queued).status, stats().queuedCalls, stats().inFlight]).toEqual([200, 0, 0]);
  });

  it('are refused when the queue is full, and lists are served', async () => {
    const { post, postModern, sample, stats, running, untilWaiting } = await startCalls(3);
    await until(() => stats().queuedCalls === 1);
    const { status, headers, json } = await post(call('echo'), A);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    const message =
      'Too many concurrent requests of one caller: 2 are running and 1 are waiting; retry later';
    const data = { reason: 'caller-calls-full', limit: 2 };
    expect(json).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32000, message, data } });
    const modern = await postModern('tools/call', { name: 'echo' }, { headers: A });
    expect([modern.status, modern.json.id]).toEqual([503, 1]);
    expect((await post(rpc('tools/list'), A)).status).toBe(200);
    sample.release();
    await untilWaiting(1);
    sample.release();
    expect((await Promise.all(running)).map((answer) => answer.status)).toEqual([200, 200, 200]);
  });

  it('leave the queue when their caller disconnects', async () => {
    const { send, sample, stats, running } = await startCalls(2);
    const gone = new AbortController();
    const body = JSON.stringify(call('hang'));
    const left = send({ body, headers: A, signal: gone.signal }).catch(() => 'left');
    await until(() => stats().queuedCalls === 1);
    gone.abort();
    expect(await left).toBe('left');
    await until(() => stats().queuedCalls === 0);
    sample.release();
    await Promise.all(running);
    expect([sample.waiting(), stats().inFlight]).toEqual([0, 0]);
  });

  it('in the queue end at their time limit', async () => {
    const { sample, stats, running } = await startCalls(3, { callTimeoutMs: 300 });
    const codes = (await Promise.all(running)).map(({ json }) => json.error.code as number);
    expect(codes).toEqual([-32001, -32001, -32001]);
    expect([sample.waiting(), stats().queuedCalls, stats().inFlight]).toEqual([0, 0, 0]);
  });

  it('free their slots when they fail', async () => {
    const { post, stats } = await start({ limits: LIMITS });
    for (const tool of ['throw', 'throw-now', 'throw', 'throw-now'])
      expect((await post(call(tool), A)).json.error.code).toBe(-32603);
    expect([(await post(call('echo'), A)).status, stats().inFlight]).toEqual([200, 0]);
  });

  it('in the queue do not use up the calls of the endpoint', async () => {
    const limits = { maxQueuedCallsPerCaller: 3, maxConcurrentCalls: 4 };
    const { post, sample, stats, running } = await startCalls(5, limits);
    await until(() => stats().queuedCalls === 3);
    expect((await post(call('echo'), B)).status).toBe(200);
    await until(() => {
      sample.release();
      return stats().inFlight === 0;
    });
    await Promise.all(running);
  });
});
