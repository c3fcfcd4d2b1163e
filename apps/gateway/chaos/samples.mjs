import { connect } from 'node:net';
import { once } from 'node:events';
import { holdingsOf } from '../bench/faults/leaks.mjs';

const MB = 1024 * 1024;
const KEYS_MS = 1_000;

/** Returns the number of keys in a Redis, or undefined while it is away. */
const keysOf = async ({ port }) => {
  const socket = connect(port, '127.0.0.1');
  // A connection that is destroyed, or that Redis closes, has no further event but its end.
  const signal = AbortSignal.timeout(KEYS_MS);
  try {
    await once(socket, 'connect', { signal });
    socket.write('DBSIZE\r\n');
    const [bytes] = await once(socket, 'data', { signal });
    return Number(/^:(\d+)/u.exec(String(bytes))?.[1]);
  } catch {
    return undefined;
  } finally {
    socket.on('error', () => undefined).destroy();
  }
};

const sampleOf = async (replica, second) => {
  if (!replica.isUp) return undefined;
  try {
    const { heapUsed, external, rss } = await replica.ask('memory');
    const { files, pipes, sockets, others, processes } = holdingsOf(replica.pid, new Set());
    return {
      ...{ second, replica: replica.name, pid: replica.pid },
      age: (performance.now() - replica.startedAt) / 1000,
      ...{ heapMb: (heapUsed + external) / MB, rssMb: rss / MB },
      ...{ descriptors: files + pipes + sockets + others, processes, files: replica.files },
    };
  } catch {
    // It was killed in the meantime.
    return undefined;
  }
};

/** Measures all replicas that are up, and Redis. */
export const takeSamples = async ({ replicas, redis }, second) => {
  const samples = [];
  for (const replica of replicas) samples.push(await sampleOf(replica, second));
  return { second, redisKeys: await keysOf(redis), replicas: samples.filter(Boolean) };
};
