import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { StateStore } from '../../src/port/state-store.ts';
import { createRedisStore } from '../../src/redis/create-redis-store.ts';
import { startRedis } from '@gateway/test-peers';

const TTL = { ttlMs: 60_000 };

const closings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

const start = async (options: readonly string[] = []) => {
  const server = await startRedis(options);
  closings.push(() => server.close());
  return server;
};

interface Connection {
  readonly url: URL;
  readonly password?: () => string | undefined;
  readonly ca?: string;
}

const open = (connection: Connection) => {
  const log: string[] = [];
  const store = createRedisStore({
    ...connection,
    prefix: 'test:',
    log: { warn: (text) => log.push(`warn ${text}`), info: (text) => log.push(`info ${text}`) },
  });
  closings.push(() => store.close());
  return { store, log };
};

/** Resolves when the store answers again. */
const recovery = (store: StateStore): Promise<void> =>
  vi.waitFor(() => store.set(['probe'], 'value', TTL), {
    timeout: 60_000,
    interval: 50,
  });

const AWAY =
  'warn The state store is not available: no connection to the server. Requests that need stored state fail until it is back.';
const BACK = 'info The state store is available again.';

it('fails in time while the server is away, and recovers by itself with its subscriptions', async () => {
  const server = await start();
  const { store, log } = open({ url: server.url });
  const received = vi.fn();
  store.subscribe('changes', received);
  await recovery(store);
  for (let round = 1; round <= 3; round += 1) {
    await server.stop();
    const started = performance.now();
    await expect(store.get(['probe'])).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(2_500);
    await server.start();
    await recovery(store);
    expect(log).toEqual(Array.from({ length: round }, () => [AWAY, BACK]).flat());
  }
  await vi.waitFor(
    async () => {
      await store.publish('changes', 'hello');
      expect(received).toHaveBeenCalledWith('hello');
    },
    { timeout: 60_000, interval: 50 },
  );
});

it('fails operations of a server that hangs, and drops the connection', async () => {
  const server = await start();
  const { store } = open({ url: server.url });
  await recovery(store);
  server.pause();
  const started = performance.now();
  const outcomes = await Promise.allSettled([
    store.get(['probe']),
    ...Array.from({ length: 100 }, () => store.take(['probe'])),
  ]);
  expect(performance.now() - started).toBeLessThan(2_500);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  await expect(store.get(['probe'])).rejects.toMatchObject({ code: 'unavailable' });
  server.resume();
  await recovery(store);
});

it('never gives a value twice while the server restarts in the middle of operations', async () => {
  const server = await start(['--appendonly', 'yes', '--appendfsync', 'always']);
  const stores = [open({ url: server.url }).store, open({ url: server.url }).store];
  await Promise.all(stores.map(recovery));
  const values = Array.from({ length: 300 }, (_, at) => `${at}`);
  for (const value of values) await stores[0]?.set(['once', value], value, TTL);
  const taken: string[] = [];
  const takeAll = async (store: StateStore): Promise<void> => {
    for (const value of values) {
      const result = await store.take(['once', value]).catch(() => undefined);
      if (result !== undefined) taken.push(result);
      if (value === '150') await restart();
    }
  };
  let restarted: Promise<void> | undefined;
  const restart = (): Promise<void> => (restarted ??= server.stop().then(() => server.start()));
  await Promise.all(stores.flatMap((store) => [takeAll(store), takeAll(store)]));
  expect(new Set(taken).size).toBe(taken.length);
  expect(taken.length).toBeGreaterThan(200);
});

it('reads the password at each connection', async () => {
  const server = await start(['--requirepass', 'first-secret']);
  let password = 'wrong-secret';
  const { store, log } = open({ url: server.url, password: () => password });
  await expect(store.get(['probe'])).rejects.toMatchObject({ code: 'unavailable' });
  expect(log).toEqual([
    'warn The state store is not available: the server answered WRONGPASS. Requests that need stored state fail until it is back.',
  ]);
  password = 'first-secret';
  await recovery(store);
  expect(log.at(-1)).toBe(BACK);
});

it('uses TLS with the given certificate authority, and refuses other certificates', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-'));
  closings.push(() => rmSync(directory, { recursive: true }));
  const [certificate, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  execFileSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost -out ${certificate} -keyout ${key}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  const plain = await start([]);
  await plain.stop();
  const options = `--port 0 --tls-port ${plain.port} --tls-auth-clients no --tls-cert-file ${certificate} --tls-key-file ${key}`;
  await start(options.split(' '));
  const url = new URL(`rediss://localhost:${plain.port}`);
  const trusted = open({ url, ca: readFileSync(certificate, 'utf8') }).store;
  await recovery(trusted);
  expect(await trusted.get(['probe'])).toBe('value');
  const { store } = open({ url });
  await expect(store.get(['probe'])).rejects.toMatchObject({ code: 'unavailable' });
});
