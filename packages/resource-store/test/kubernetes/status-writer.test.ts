import type { McpServerStatus } from '@gateway/crd-schemas';
import { SOLE_LEADER, parseVersionedObject } from '@gateway/kube-client';
import type { ApiServer } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { createDefinitionKinds } from '../../src/kubernetes/followed-definitions.ts';
import { StatusWriter } from '../../src/kubernetes/status-writer.ts';
import { createResourceKey } from '../../src/index.ts';
import {
  changingLeadership,
  connected,
  openedCluster,
  openedStore,
  serverObject,
  SERVER_KIND,
  startGatewayCluster,
  WORKFLOW_KIND,
  workflowObject,
} from './cluster-store.ts';

const KEY = createResourceKey('a');
const A = { kind: 'MCPServer', ...KEY } as const;
const DONE = { kind: 'done' };

const statusOf = (tools: number, isReady = true, at = '2026-01-01T00:00:00Z') => {
  const status = isReady ? 'True' : 'False';
  const ready = { type: 'Ready', reason: 'R', message: 'm', lastTransitionTime: at } as const;
  return {
    ...{ state: 'Connected', tools, restartCount: 0, consecutiveFailures: 0 },
    conditions: [{ ...ready, status }],
  } satisfies McpServerStatus;
};

const writesTo = (api: ApiServer) => api.requests.filter(({ isStatus }) => isStatus).length;

/** A store of a cluster with the server `a`. */
const opened = async (options: Parameters<typeof openedStore>[1] = {}, spec?: object) => {
  const server = serverObject('a');
  const cluster = await openedCluster([spec === undefined ? server : { ...server, spec }], options);
  return {
    ...cluster,
    write: (status: McpServerStatus, how?: { readonly isProvisional: boolean }) =>
      cluster.store.writeStatus(A, status, how),
    status: () => cluster.find()?.['status'],
  };
};

it('writes a status with the generation that it is about', async () => {
  const { write, status } = await opened();
  expect(await write(statusOf(1))).toEqual(DONE);
  const conditions = [{ ...statusOf(1).conditions[0], observedGeneration: 1 }];
  expect(status()).toEqual({ ...statusOf(1), conditions });
});

it('does not write an equal status, nor change the time of a transition without one', async () => {
  const { api, kubeconfig, write, status } = await opened();
  await write(statusOf(1));
  const later = statusOf(1, true, '2026-02-02T00:00:00Z');
  expect(await write(later)).toEqual(DONE);
  const next = await openedStore(kubeconfig);
  expect(await next.writeStatus(A, later)).toEqual(DONE);
  expect(writesTo(api)).toBe(1);
  await next.writeStatus(A, statusOf(1, false, '2026-03-03T00:00:00Z'));
  const conditions = [{ status: 'False', lastTransitionTime: '2026-03-03T00:00:00Z' }];
  expect(status()).toMatchObject({ conditions });
});

it('writes once per second and object, the latest status', async () => {
  const { api, write, status } = await opened();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 20 }, (_, count) => write(statusOf(count))));
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  expect([status(), writesTo(api)]).toMatchObject([{ tools: 19 }, 2]);
});

it('never writes to an object that was created again after it was deleted', async () => {
  const { api, store, write, find } = await opened();
  await write(statusOf(1));
  let isCut = false;
  api.fault = ({ isStatus }) => {
    if (!isStatus || isCut) return false;
    isCut = true;
    api.remove('MCPServer', KEY);
    return false;
  };
  expect(await write(statusOf(2))).toEqual({ kind: 'missing' });
  expect(find()).toBe(undefined);
  await expect.poll(() => store.status(A)).toBe(undefined);
});

it('writes again after a conflict with another change of the object', async () => {
  const { api, write, status } = await opened();
  let conflicts = 0;
  api.fault = ({ isStatus }) => {
    if (!isStatus || conflicts === 3) return false;
    conflicts += 1;
    api.apply(serverObject('a', { timeout: conflicts }));
    return false;
  };
  expect(await write(statusOf(2))).toEqual(DONE);
  expect(status()).toMatchObject({ tools: 2, conditions: [{ observedGeneration: 4 }] });
});

it('writes nothing before this process leads, then every status that differs', async () => {
  const leadership = changingLeadership(false);
  const { api, store, write, status } = await opened({ leadership });
  expect(await write(statusOf(1))).toEqual({ kind: 'deferred' });
  expect([store.status(A), writesTo(api)]).toEqual([statusOf(1), 0]);
  leadership.set(true);
  await expect.poll(status).toMatchObject({ tools: 1 });
});

it('keeps a known status until this process knows the state of the server', async () => {
  const leadership = changingLeadership(true);
  const { api, kubeconfig, write, status } = await opened({ leadership });
  await write(statusOf(1));
  leadership.set(false);
  const next = await openedStore(kubeconfig);
  const connecting = { ...statusOf(0, false), state: 'Connecting' } as const;
  expect(await next.writeStatus(A, connecting, { isProvisional: true })).toEqual(DONE);
  expect(status()).toMatchObject({ state: 'Connected' });
  api.apply(serverObject('a', { timeout: 20 }));
  const conditions = [{ status: 'False', observedGeneration: 2 }];
  await expect.poll(status).toMatchObject({ state: 'Connecting', conditions });
});

it('writes a provisional status to an object without one', async () => {
  const { write, status } = await opened();
  await write(statusOf(0, false), { isProvisional: true });
  expect(status()).toMatchObject({ conditions: [{ status: 'False' }] });
});

const tryMake = (consecutiveFailures: number): McpServerStatus => ({
  ...statusOf(1, false),
  ...{ consecutiveFailures, lastAttempt: `2026-01-01T00:00:0${String(consecutiveFailures)}Z` },
});

it('writes fields of attempts with the next other change', async () => {
  const { api, write, status } = await opened();
  for (const attempt of [1, 2]) await write(tryMake(attempt));
  expect(status()).toMatchObject({ consecutiveFailures: 1 });
  await write({ ...tryMake(3), lastError: 'another' });
  expect(status()).toMatchObject({ consecutiveFailures: 3 });
  expect(writesTo(api)).toBe(2);
});

/** A writer without a store: `counts.comparisons` counts the comparisons of statuses. */
const openedWriter = async (names: readonly string[], refreshMs?: number) => {
  const { api, kubeconfig } = await startGatewayCluster();
  const objects = names.map((name) =>
    parseVersionedObject(api.apply(serverObject(name)), SERVER_KIND),
  );
  const known = new Map(objects.map((object) => [object?.object.metadata.name, object]));
  const counts = { comparisons: 0 };
  const kinds = createDefinitionKinds('gateway.internal');
  const writer = new StatusWriter({
    ...{ connection: await connected(kubeconfig), kinds, leadership: SOLE_LEADER },
    findObject: ({ name }) => known.get(name),
    findGeneration: () => {
      counts.comparisons += 1;
      return 1;
    },
    onWritten: (_kind, object) => known.set(object.object.metadata.name, object),
    ...{ reread: () => Promise.resolve(), onProblem: () => undefined },
    ...{ intervalMs: 1, ...(refreshMs === undefined ? {} : { refreshMs }) },
  });
  onTestFinished(() => {
    writer.close();
  });
  return { api, writer, counts };
};

it('compares a status that waits for its write once, not with each change of other objects', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `s${String(index)}`);
  const { api, writer, counts } = await openedWriter(names);
  const written = names.map((name) => writer.writeStatus({ ...A, name }, statusOf(1)));
  for (let event = 0; event < 100; event += 1) writer.compare();
  expect(counts.comparisons).toBeLessThan(names.length * 3);
  await Promise.all(written);
  expect(writesTo(api)).toBe(names.length);
});

it('writes fields of attempts alone after a long time, one object per turn', async () => {
  const { api, writer } = await openedWriter(['a', 'b'], 50);
  const both = [A, { ...A, name: 'b' }];
  await Promise.all(both.map((each) => writer.writeStatus(each, tryMake(1))));
  const startedAt = performance.now();
  for (const each of both) await writer.writeStatus(each, tryMake(2));
  expect(writesTo(api)).toBe(2);
  await expect.poll(() => writesTo(api)).toBe(4);
  expect(performance.now() - startedAt).toBeGreaterThan(450);
  const status = api.history.get(SERVER_KIND, KEY)?.['status'];
  expect(status).toMatchObject({ consecutiveFailures: 2 });
});

it('reports a refusal once and tries again', async () => {
  const lines: string[] = [];
  const { api, write, status } = await opened({ onWarning: (line) => lines.push(line) });
  api.isAllowed = ({ isStatus }) => !isStatus;
  expect(await write(statusOf(1))).toMatchObject({ kind: 'failed' });
  api.isAllowed = () => true;
  await expect.poll(status).toMatchObject({ tools: 1 });
  expect(lines).toEqual([
    expect.stringContaining('could not write the status of MCPServer default/a: it answered 403'),
  ]);
});

it('restores a status that another client changed', async () => {
  const { api, write, status } = await opened();
  await write(statusOf(1));
  const live = api.history.get(SERVER_KIND, KEY);
  if (live !== undefined) api.apply({ ...live, status: { state: 'Failed' } });
  await expect.poll(status).toMatchObject({ state: 'Connected' });
});

it('shows a refused stdio server as Stopped unless autoStart is true, and as Failed otherwise', async () => {
  const command = { type: 'stdio', command: 'run' };
  const { api, status } = await opened({}, command);
  const conditions = [{ type: 'Ready', status: 'False', reason: 'StdioNotAllowed' }];
  await expect.poll(status).toMatchObject({ state: 'Stopped', conditions });
  for (const [autoStart, state] of [
    [true, 'Failed'],
    [false, 'Stopped'],
  ] as const) {
    api.apply({ ...serverObject('a'), spec: { ...command, autoStart } });
    await expect.poll(status).toMatchObject({ state, conditions });
  }
});

it('writes the status of workflows by itself', async () => {
  const { api } = await openedCluster([workflowObject('a')]);
  const status = () => api.history.get(WORKFLOW_KIND, KEY)?.['status'];
  await expect.poll(status).toMatchObject({
    ...{ valid: true, stepCount: 1, referencedTools: ['x_a'] },
    conditions: [{ type: 'Valid', status: 'True', observedGeneration: 1 }],
  });
  api.apply({ ...workflowObject('a'), spec: { description: 'd', steps: [] } });
  const conditions = [{ type: 'Valid', status: 'False', observedGeneration: 2 }];
  await expect.poll(status).toMatchObject({ valid: false, conditions });
});
