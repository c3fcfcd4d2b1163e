import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { type OwnCluster, startOwnCluster } from './start-cluster.ts';
import type { KeeperAnswer, KeeperOrder } from './shared-cluster.ts';

/** The program of a shared cluster. It starts the cluster, sends its facts to each connection, and ends with its owner. */
const OWNER_POLL_MS = 500;

const { socket, owner, options } = JSON.parse(process.argv[2] ?? '{}') as KeeperOrder;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const toAnswer = (started: Promise<OwnCluster>): Promise<KeeperAnswer> =>
  started.then(
    ({ facts }) => ({ ok: true, facts }),
    (error: unknown) => ({
      ok: false,
      problem: error instanceof Error ? error.message : String(error),
    }),
  );

const tryListen = async (server: ReturnType<typeof createServer>): Promise<boolean> => {
  try {
    await once(server.listen(socket), 'listening');
    return true;
  } catch {
    return false;
  }
};

const keep = async (server: ReturnType<typeof createServer>): Promise<void> => {
  const started = startOwnCluster(options);
  const answer = toAnswer(started);
  server.on('connection', (connection) => {
    connection.on('error', () => undefined);
    void answer.then((value) => connection.end(`${JSON.stringify(value)}\n`));
  });
  while (isAlive(owner)) await new Promise((resolve) => setTimeout(resolve, OWNER_POLL_MS));
  rmSync(socket, { force: true });
  await started.then(
    (own) => own.close(),
    () => undefined,
  );
};

const server = createServer();
if (await tryListen(server)) await keep(server);
process.exit();
