import type { Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '@gateway/repo-checks';
import { poolOf, POST, send, startRaw } from './raw-server.ts';
import type { PooledRequest, ResponseHandler } from '../src/index.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const ok = { status: 200, body: 'ok' };

const QUIET: ResponseHandler = {
  onHead: () => undefined,
  onData: () => undefined,
  onEnd: () => undefined,
  onFailure: () => undefined,
};

/** Collects the errors that nobody catches, instead of the test runner. */
const collectUncaught = (): unknown[] => {
  const errors: unknown[] = [];
  const runners = process.listeners('uncaughtException');
  const collect = (error: unknown): void => void errors.push(error);
  process.removeAllListeners('uncaughtException').on('uncaughtException', collect);
  onTestFinished(() => {
    process.off('uncaughtException', collect);
    for (const runner of runners) process.on('uncaughtException', runner);
  });
  return errors;
};

const stopped = (server: Server): Promise<unknown> =>
  new Promise((resolve) => server.close(resolve));

describe('a request that is aborted by its handler', () => {
  it.each(['onHead', 'onData'] as const)(
    'in %s, when its end has arrived, leaves its connection to no waiting request',
    async (event) => {
      const { origin, sockets } = await startRaw((socket) => socket.write(OK));
      const pool = poolOf(origin, { maxConnections: 1 });
      const request: PooledRequest = pool.request(POST, {
        ...QUIET,
        [event]: () => request.abort(),
      });
      expect(await send(pool)).toEqual(ok);
      expect(sockets).toHaveLength(2);
    },
  );
});

describe('a handler that throws at the end', () => {
  it('does not fail the next request on its connection', async () => {
    const errors = collectUncaught();
    const { origin, sockets } = await startRaw((socket) => socket.write(OK));
    const pool = poolOf(origin, { maxConnections: 1 });
    pool.request(POST, {
      ...QUIET,
      onEnd: () => {
        throw new TypeError('wrong end');
      },
    });
    expect(await send(pool)).toEqual(ok);
    await eventually(() => expect(errors).toEqual([new TypeError('wrong end')]));
    expect(sockets).toHaveLength(1);
  });
});

describe('requests that wait for a connection that cannot be opened', () => {
  it('fail although the handler of the first throws', async () => {
    const errors = collectUncaught();
    const { server, origin } = await startRaw(() => undefined);
    await stopped(server);
    const pool = poolOf(origin, { maxConnections: 1 });
    pool.request(POST, {
      ...QUIET,
      onFailure: () => {
        throw new TypeError('wrong failure');
      },
    });
    expect(await send(pool)).toEqual({
      failure: `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:${new URL(origin).port}`,
    });
    await eventually(() => expect(errors).toEqual([new TypeError('wrong failure')]));
  });

  it('may be sent once more by their handler, on another connection', async () => {
    const { server, origin } = await startRaw(() => undefined);
    await stopped(server);
    const pool = poolOf(origin);
    const errors: Error[] = [];
    await new Promise<void>((resolve) => {
      const onFailure = (error: Error): void => {
        errors.push(error);
        if (errors.length === 1) pool.request(POST, { ...QUIET, onFailure });
        else resolve();
      };
      pool.request(POST, { ...QUIET, onFailure });
    });
    expect(errors).toHaveLength(2);
    expect(errors[1]).not.toBe(errors[0]);
  });
});

describe('the methods HEAD and CONNECT', () => {
  it.each(['HEAD', 'head', 'CONNECT'])(
    '%s are refused, because the length of their responses has another meaning',
    async (method) => {
      const { origin, sockets } = await startRaw((socket) => socket.write(OK));
      expect(await send(poolOf(origin), { method, path: '/', headers: [] })).toEqual({
        failure: `invalid-request: the method ${method} is not supported`,
      });
      expect(sockets).toHaveLength(0);
    },
  );
});
