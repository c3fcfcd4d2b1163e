import { ANONYMOUS, createPrincipal, type AuthenticationOutcome } from '@gateway/call-contract';
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttpEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
import { call, openSession, post, postModern, rpc, send, until } from './wire-client.ts';

const endpoints: Endpoint[] = [];
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.drain(0)));
});

/** An endpoint behind a trusted proxy, so that a test can have many callers. */
const start = async ({ callers, ...options }: EndpointOptions): Promise<Endpoint> => {
  const behindProxy = { trustedProxies: ['127.0.0.1'], ...callers };
  const endpoint = await startHttpEndpoint({ ...options, callers: behindProxy });
  endpoints.push(endpoint);
  return endpoint;
};

const from = (address: string) => ({ 'x-forwarded-for': address });
const A = from('192.0.2.1');
const B = from('192.0.2.2');

describe('the rate limit', () => {
  const SLOW = { requestsPerSecond: 0.001, burst: 2 };

  it('refuses a caller that exceeds it, and serves others', async () => {
    const { url, refusals } = await start({ callers: { rateLimit: SLOW } });
    expect((await post(url, rpc('ping'), A)).status).toBe(200);
    expect((await post(url, rpc('ping'), A)).status).toBe(200);
    const refused = await post(url, rpc('ping'), A);
    expect([refused.status, refused.headers['retry-after'], refused.json]).toEqual([
      429,
      '1000',
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32000,
          message:
            'Too many requests of one caller: 0.001 per second are allowed; retry after 1000 s',
          data: { reason: 'rate-limited', limit: 0.001 },
        },
      },
    ]);
    expect((await postModern(url, 'tools/list', {}, { headers: A })).status).toBe(429);
    expect((await post(url, rpc('ping'), B)).status).toBe(200);
    expect(refusals).toEqual(['rate-limited', 'rate-limited']);
  });

  it('charges a batch with all of its messages', async () => {
    const { url } = await start({ callers: { rateLimit: { ...SLOW, burst: 4 } } });
    const batch = [rpc('ping'), rpc('ping'), rpc('ping')];
    const headers = { ...A, 'mcp-protocol-version': '2025-03-26' };
    expect((await post(url, batch, headers)).status).toBe(200);
    expect((await post(url, batch, headers)).status).toBe(429);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    const { url } = await start({ callers: { rateLimit: { ...SLOW, burst: 1 } } });
    const statuses = [];
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']) {
      statuses.push((await post(url, rpc('ping'), from(address))).status);
    }
    expect(statuses).toEqual([200, 429, 200]);
  });

  it('counts a principal wherever it comes from', async () => {
    const authenticate = ({ headers }: IncomingMessage): AuthenticationOutcome => {
      const subject = headers['x-user'];
      if (typeof subject !== 'string') return { ok: true, principal: ANONYMOUS };
      return { ok: true, principal: createPrincipal({ issuer: 'https://i.test', subject }) };
    };
    const rateLimit = { ...SLOW, burst: 1 };
    const { url } = await start({ callers: { rateLimit, authenticate } });
    const statuses = [];
    for (const headers of [{ ...A, 'x-user': 'u' }, { ...B, 'x-user': 'u' }, A]) {
      statuses.push((await post(url, rpc('ping'), headers)).status);
    }
    expect(statuses).toEqual([200, 429, 200]);
  });

  it('applies to streams and to the end of sessions', async () => {
    const { url } = await start({ callers: { rateLimit: { ...SLOW, burst: 1 } } });
    const session = await openSession(url);
    const headers = { 'mcp-session-id': session };
    expect((await send(url, { method: 'DELETE', headers })).status).toBe(429);
    expect((await send(url, { method: 'GET', headers })).status).toBe(429);
  });

  it('does not exist unless it is given', async () => {
    const { url } = await start({});
    for (let count = 0; count < 500; count += 1) await post(url, rpc('ping'), A);
    expect((await post(url, rpc('ping'), A)).status).toBe(200);
  });
});

describe('the concurrent calls of a caller', () => {
  const LIMITS = { maxConcurrentCallsPerCaller: 2, maxQueuedCallsPerCaller: 1 };

  it('wait for each other, and do not delay other callers', async () => {
    const endpoint = await start({ limits: LIMITS });
    const { url, sample, stats } = endpoint;
    const running = [post(url, call('hang'), A), post(url, call('hang'), A)];
    await until(() => sample.waiting() === 2);
    const queued = post(url, call('echo'), A);
    await until(() => stats().queuedCalls === 1);
    expect([(await post(url, call('echo'), B)).status, stats().inFlight]).toEqual([200, 2]);
    sample.release();
    await Promise.all(running);
    expect([(await queued).status, stats().queuedCalls, stats().inFlight]).toEqual([200, 0, 0]);
  });

  it('are refused when the queue is full, and lists are served', async () => {
    const { url, sample, stats } = await start({ limits: LIMITS });
    const running = [1, 2, 3].map(() => post(url, call('hang'), A));
    await until(() => sample.waiting() === 2 && stats().queuedCalls === 1);
    const refused = await post(url, call('echo'), A);
    expect([refused.status, refused.headers['retry-after'], refused.json]).toEqual([
      503,
      '1',
      {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32000,
          message:
            'Too many concurrent requests of one caller: 2 are running and 1 are waiting; retry later',
          data: { reason: 'caller-calls-full', limit: 2 },
        },
      },
    ]);
    const modern = await postModern(url, 'tools/call', { name: 'echo' }, { headers: A });
    expect([modern.status, modern.json.id]).toEqual([503, 1]);
    expect((await post(url, rpc('tools/list'), A)).status).toBe(200);
    sample.release();
    await until(() => sample.waiting() === 1);
    sample.release();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('leave the queue when their caller disconnects', async () => {
    const { url, sample, stats } = await start({ limits: LIMITS });
    const running = [post(url, call('hang'), A), post(url, call('hang'), A)];
    await until(() => sample.waiting() === 2);
    const gone = new AbortController();
    const body = JSON.stringify(call('hang'));
    const left = send(url, { body, headers: A, signal: gone.signal }).catch(() => 'left');
    await until(() => stats().queuedCalls === 1);
    gone.abort();
    expect(await left).toBe('left');
    await until(() => stats().queuedCalls === 0);
    sample.release();
    await Promise.all(running);
    expect([sample.waiting(), stats().inFlight]).toEqual([0, 0]);
  });

  it('in the queue end at their time limit', async () => {
    const { url, sample, stats } = await start({ limits: { ...LIMITS, callTimeoutMs: 300 } });
    const answers = await Promise.all([1, 2, 3].map(() => post(url, call('hang'), A)));
    expect(answers.map(({ json }) => json.error.code)).toEqual([-32001, -32001, -32001]);
    expect([sample.waiting(), stats().queuedCalls, stats().inFlight]).toEqual([0, 0, 0]);
  });

  it('free their slots when they fail', async () => {
    const { url, stats } = await start({ limits: LIMITS });
    for (const tool of ['throw', 'throw-now', 'throw', 'throw-now']) {
      expect((await post(url, call(tool), A)).json.error.code).toBe(-32603);
    }
    expect([(await post(url, call('echo'), A)).status, stats().inFlight]).toEqual([200, 0]);
  });

  it('in the queue do not use up the calls of the endpoint', async () => {
    const limits = { ...LIMITS, maxQueuedCallsPerCaller: 3, maxConcurrentCalls: 4 };
    const { url, sample, stats } = await start({ limits });
    const running = [1, 2, 3, 4, 5].map(() => post(url, call('hang'), A));
    await until(() => stats().queuedCalls === 3);
    expect((await post(url, call('echo'), B)).status).toBe(200);
    await until(() => {
      sample.release();
      return stats().inFlight === 0;
    });
    await Promise.all(running);
  });
});
