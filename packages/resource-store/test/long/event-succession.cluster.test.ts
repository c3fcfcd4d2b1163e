import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { StoredEvent } from '@gateway/events';
import { expect, it, onTestFinished } from 'vitest';
import { openNamespace, SERVER } from './cluster-namespace.ts';
import { openEventReplica } from './event-replica.ts';

interface WrittenEvent {
  readonly note: string;
  readonly regarding: { readonly uid?: string };
  readonly series?: { readonly count: number };
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const LOADER = pathToFileURL(resolve(at('.'), '../../../repo-checks/bin/load-typescript.mjs')).href;
const FAILOVER = { timeout: 60_000 };

/** Starts a process that leads and writes events. Resolves when it has written them. Returns a function that kills it. */
const startLeader = async (
  kubeconfig: string,
  namespace: string,
  events: readonly StoredEvent[],
) => {
  const program = ['--import', LOADER, at('fixtures/event-leader.ts')];
  const args = [...program, kubeconfig, namespace, JSON.stringify(events)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  expect(String(output)).toBe('written\n');
  return async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
};

it('are not written twice when a leader is killed that has written them', async () => {
  const { admin, kubeconfig, namespace, object, path } = await openNamespace();
  await admin.apply(object('MCPServer', 'a', SERVER));

  const startedAt = Date.now();
  const observed = (message: string, agoMs: number): StoredEvent => ({
    ...{ id: 1, kind: 'MCPServer', name: 'a', namespace, reason: 'MCPServerUpdated', message },
    ...{ type: 'Normal', firstAt: startedAt - agoMs, lastAt: startedAt - agoMs, count: 1 },
  });
  const kill = await startLeader(kubeconfig, namespace, [
    observed('long ago', 160_000),
    observed('before', 5_000),
  ]);
  const next = await openEventReplica({ kubeconfig, namespace, name: 'next' });
  onTestFinished(next.close);
  // Each replica observes the same a little later than the other.
  const longAgo = observed('long ago', 119_999);
  // Events wait for the next leader for a minute, in which this one has to be killed.
  const now = Date.now();
  const lost = { ...observed('lost', 0), firstAt: now, lastAt: now };
  await next.append([longAgo, observed('before', 4_999), lost]);
  await kill();
  await next.untilWriting();

  const eventsPath = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
  const written = async () => {
    const list = (await admin.expect('GET', eventsPath)) as { items: readonly WrittenEvent[] };
    return list.items
      .map(({ note, series, regarding }) => `${note} ${series?.count ?? 1} ${regarding.uid ?? ''}`)
      .sort();
  };
  const server = (await admin.expect('GET', `${path}/mcpservers/a`)) as {
    metadata: { uid: string };
  };
  const { uid } = server.metadata;
  const expected = [`before 1 ${uid}`, `long ago 1 ${uid}`, `lost 1 ${uid}`];
  await expect.poll(written, FAILOVER).toEqual(expected);
  await next.append([{ ...longAgo, count: 2, lastAt: Date.now() }]);
  const again = [`before 1 ${uid}`, `long ago 2 ${uid}`, `lost 1 ${uid}`];
  await expect.poll(written, FAILOVER).toEqual(again);
});
