// Operations per second of each kind of store, and the ratio of the encrypted one to the plain one. Run after a build; the second part
// needs `redis-server`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createMemoryStore,
  createEncryptedStore,
  openRedisStore,
  parseStateKey,
} from '../dist/index.js';

const PORT = 6399;
const ROUNDS = 5;
const log = { warn: console.warn, info: () => undefined };
const { key } = parseStateKey('ab'.repeat(32), 'bench');
const value = JSON.stringify({ accessToken: 'x'.repeat(1_200), refreshToken: 'y'.repeat(300) });

const OPERATIONS = {
  get: (store, at) => store.get(['token', `subject ${at % 1_000}`]),
  set: (store, at) => store.set(['token', `subject ${at % 1_000}`], value, { ttlMs: 60_000 }),
  'set in group': (store, at) =>
    store.set(['token', `subject ${at % 1_000}`], value, {
      ttlMs: 60_000,
      group: ['g', `${at % 100}`],
    }),
  take: (store, at) => store.take(['token', `subject ${at % 1_000}`]),
};

const rate = async (store, operation, { count, parallel }) => {
  const started = performance.now();
  for (let from = 0; from < count; from += parallel) {
    await Promise.all(Array.from({ length: parallel }, (_, at) => operation(store, from + at)));
  }
  return count / ((performance.now() - started) / 1_000);
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const compare = async (name, plain, load) => {
  const encrypted = createEncryptedStore(plain, { current: key }, log);
  for (const [title, operation] of Object.entries(OPERATIONS)) {
    for (let at = 0; at < 1_000; at += 1) await OPERATIONS.set(plain, at);
    const rates = { plain: [], encrypted: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let at = 0; at < 1_000; at += 1) await OPERATIONS.set(plain, at);
      rates.plain.push(await rate(plain, operation, load));
      for (let at = 0; at < 1_000; at += 1) await OPERATIONS.set(encrypted, at);
      rates.encrypted.push(await rate(encrypted, operation, load));
    }
    const [a, b] = [median(rates.plain), median(rates.encrypted)];
    console.log(
      `${name}, ${load.parallel} at once, ${title}: ${Math.round(a)}/s, encrypted ${Math.round(b)}/s, ratio ${(b / a).toFixed(2)}`,
    );
  }
};

await compare('memory', createMemoryStore(), { count: 20_000, parallel: 1 });

const server = spawn('redis-server', ['--port', `${PORT}`, '--save', '', '--bind', '127.0.0.1'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
server.stdout.resume();
await once(server, 'spawn');
const store = await openRedisStore({
  url: new URL(`redis://127.0.0.1:${PORT}`),
  prefix: 'bench:',
  log: { warn: () => undefined, info: () => undefined },
});
try {
  await compare('redis', store, { count: 2_000, parallel: 1 });
  await compare('redis', store, { count: 10_000, parallel: 100 });
} finally {
  await store.close();
  server.kill();
}
