import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createRedisStore } from '../../src/redis/create-redis-store.ts';

const closings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

const listen = async (serve: (socket: Socket) => unknown): Promise<number> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

const open = (port: number, warnings: string[] = []) => {
  const store = createRedisStore({
    url: new URL(`redis://127.0.0.1:${port}`),
    prefix: 'test:',
    password: () => 'secret-password',
    log: { warn: (sentence) => warnings.push(sentence), info: () => undefined },
  });
  closings.unshift(() => store.close());
  return store;
};

const everyOperation = (store: ReturnType<typeof open>): readonly Promise<unknown>[] => [
  store.get(['a']),
  store.set(['a'], 'secret-value', { ttlMs: 1_000 }),
  store.set(['a'], 'secret-value', { ttlMs: 1_000, group: ['g'] }),
  store.add(['a'], 'secret-value', { ttlMs: 1_000 }),
  store.replace(['a'], 'secret-value', { ttlMs: 1_000 }),
  store.take(['a']),
  store.delete(['a']),
  store.deleteIf(['a'], 'secret-value'),
  store.deleteGroup(['g']),
  store.publish('changes', 'secret-value'),
];

const expectUnavailable = async (store: ReturnType<typeof open>): Promise<void> => {
  const started = performance.now();
  const outcomes = await Promise.allSettled(everyOperation(store));
  expect(performance.now() - started).toBeLessThan(2_500);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { name: 'StateStoreError', code: 'unavailable' },
    });
    const { message } = (outcome as PromiseRejectedResult).reason as Error;
    expect(message).toMatch(/^The state store is not available: [^.]+\.$/);
    expect(message).not.toContain('secret');
  }
};

it('rejects every operation in time when no server listens', async () => {
  const port = await listen(() => undefined);
  await closings.pop()?.();
  const warnings: string[] = [];
  await expectUnavailable(open(port, warnings));
  expect(warnings).toEqual([
    'The state store is not available: no connection to the server. Requests that need stored state fail until it is back.',
  ]);
});

it.each<readonly [string, (socket: Socket) => unknown]>([
  ['never answers', () => undefined],
  ['closes each connection', (socket) => socket.end()],
  ['speaks another protocol', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
])('rejects every operation in time when the server %s', async (_, serve) => {
  await expectUnavailable(open(await listen(serve)));
});

it('names the code of a refused sign-in, and nothing else of it', async () => {
  const port = await listen((socket) =>
    socket.on('data', () => socket.write('-WRONGPASS invalid secret-password pair\r\n')),
  );
  const warnings: string[] = [];
  await expectUnavailable(open(port, warnings));
  expect(warnings).toEqual([
    'The state store is not available: the server answered WRONGPASS. Requests that need stored state fail until it is back.',
  ]);
});

it('rejects at once when thousands of operations wait', async () => {
  const store = open(await listen(() => undefined));
  let ended = 0;
  const waiting = Array.from({ length: 1_000 }, async () => {
    await store.get(['a']).catch(() => undefined);
    ended += 1;
  });
  await expect(store.get(['a'])).rejects.toMatchObject({ code: 'unavailable' });
  expect(ended).toBe(0);
  await Promise.all(waiting);
});
