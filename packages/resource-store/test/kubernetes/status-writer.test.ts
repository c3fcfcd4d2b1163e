import type { McpServerStatus } from '@gateway/crd-schemas';
import { connectToCluster, SOLE_LEADER, parseVersionedObject } from '@gateway/kube-client';
import type { ApiServer } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { createDefinitionKinds } from '../../src/kubernetes/followed-definitions.ts';
import { StatusWriter } from '../../src/kubernetes/status-writer.ts';
import { createResourceKey } from '../../src/index.ts';
import {
  changingLeadership,
  openedStore,
  serverObject,
  startGatewayCluster,
  workflowObject,
} from './cluster-store.ts';

const KIND = {
  group: 'gateway.internal',
  version: 'v1alpha1',
  kind: 'MCPServer',
  resource: 'mcpservers',
};
const A = { kind: 'MCPServer', ...createResourceKey('a') } as const;

const statusOf = (tools: number, isReady = true, at = '2026-01-01T00:00:00Z') =>
  ({
    ...{ state: 'Connected', tools, restartCount: 0, consecutiveFailures: 0 },
    conditions: [
      {
        ...{ type: 'Ready', reason: 'R', message: 'm', lastTransitionTime: at },
        status: isReady ? 'True' : 'False',
      },
    ],
  }) satisfies McpServerStatus;

const storedStatus = (api: ApiServer, kind = KIND) =>
  api.history.get(kind, createResourceKey('a'))?.['status'];

const writesTo = (api: ApiServer) => api.requests.filter(({ isStatus }) => isStatus).length;

const opened = async (options: Parameters<typeof openedStore>[1] = {}) => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a'));
  return { api, kubeconfig, store: await openedStore(kubeconfig, options) };
};

it('writes a status with the generation that it is about', async () => {
  const { api, store } = await opened();
  expect(await store.writeStatus(A, statusOf(1))).toEqual({ kind: 'done' });
  expect(storedStatus(api)).toEqual({
    ...statusOf(1),
    conditions: [{ ...statusOf(1).conditions[0], observedGeneration: 1 }],
  });
});

it('does not write an equal status, nor change the time of a transition without one', async () => {
  const { api, kubeconfig, store } = await opened();
  await store.writeStatus(A, statusOf(1));
  const later = statusOf(1, true, '2026-02-02T00:00:00Z');
  expect(await store.writeStatus(A, later)).toEqual({ kind: 'done' });
  const next = await openedStore(kubeconfig);
  expect(await next.writeStatus(A, later)).toEqual({ kind: 'done' });
  expect(writesTo(api)).toBe(1);
  await next.writeStatus(A, statusOf(1, false, '2026-03-03T00:00:00Z'));
  expect(storedStatus(api)).toMatchObject({
    conditions: [{ status: 'False', lastTransitionTime: '2026-03-03T00:00:00Z' }],
  });
});

it('writes once per second and object, the latest status', async () => {
  const { api, store } = await opened();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 20 }, (_, count) => store.writeStatus(A, statusOf(count))),
  );
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  expect(storedStatus(api)).toMatchObject({ tools: 19 });
  expect(writesTo(api)).toBe(2);
});

it('never writes to an object that was created again after it was deleted', async () => {
  const { api, store } = await opened();
  await store.writeStatus(A, statusOf(1));
  let isCut = false;
  api.fault = ({ isStatus }) => {
    if (!isStatus || isCut) return false;
    isCut = true;
    api.remove('MCPServer', createResourceKey('a'));
    return false;
  };
  expect(await store.writeStatus(A, statusOf(2))).toEqual({ kind: 'missing' });
  expect(api.history.get(KIND, createResourceKey('a'))).toBe(undefined);
  await expect.poll(() => store.status(A)).toBe(undefined);
});

it('writes again after a conflict with another change of the object', async () => {
  const { api, store } = await opened();
  let conflicts = 0;
  api.fault = ({ isStatus }) => {
    if (!isStatus || conflicts === 3) return false;
    conflicts += 1;
    api.apply(serverObject('a', { timeout: conflicts }));
    return false;
  };
  expect(await store.writeStatus(A, statusOf(2))).toEqual({ kind: 'done' });
  expect(storedStatus(api)).toMatchObject({
    tools: 2,
    conditions: [{ observedGeneration: 4 }],
  });
});

it('writes nothing before this process leads, then every status that differs', async () => {
  const leadership = changingLeadership(false);
  const { api, store } = await opened({ leadership });
  expect(await store.writeStatus(A, statusOf(1))).toEqual({ kind: 'deferred' });
  expect(store.status(A)).toEqual(statusOf(1));
  expect(writesTo(api)).toBe(0);
  leadership.set(true);
  await expect.poll(() => storedStatus(api)).toMatchObject({ tools: 1 });
});

it('keeps a known status until this process knows the state of the server', async () => {
  const leadership = changingLeadership(true);
  const { api, kubeconfig, store } = await opened({ leadership });
  await store.writeStatus(A, statusOf(1));
  leadership.set(false);
  const next = await openedStore(kubeconfig);
  const connecting = { ...statusOf(0, false), state: 'Connecting' } as const;
  expect(await next.writeStatus(A, connecting, { isProvisional: true })).toEqual({ kind: 'done' });
  expect(storedStatus(api)).toMatchObject({ state: 'Connected' });
  api.apply(serverObject('a', { timeout: 20 }));
  await expect
    .poll(() => storedStatus(api))
    .toMatchObject({
      state: 'Connecting',
      conditions: [{ status: 'False', observedGeneration: 2 }],
    });
});

it('writes a provisional status to an object without one', async () => {
  const { api, store } = await opened();
  await store.writeStatus(A, statusOf(0, false), { isProvisional: true });
  expect(storedStatus(api)).toMatchObject({ conditions: [{ status: 'False' }] });
});

const tryMake = (consecutiveFailures: number): McpServerStatus => ({
  ...statusOf(1, false),
  ...{ consecutiveFailures, lastAttempt: `2026-01-01T00:00:0${String(consecutiveFailures)}Z` },
});

it('writes fields of attempts with the next other change', async () => {
  const { api, store } = await opened();
  await store.writeStatus(A, tryMake(1));
  await store.writeStatus(A, tryMake(2));
  expect(storedStatus(api)).toMatchObject({ consecutiveFailures: 1 });
  await store.writeStatus(A, { ...tryMake(3), lastError: 'another' });
  expect(storedStatus(api)).toMatchObject({ consecutiveFailures: 3 });
  expect(writesTo(api)).toBe(2);
});

/** A writer without a store: `counts.comparisons` counts the comparisons of statuses. */
const openedWriter = async (names: readonly string[], refreshMs?: number) => {
  const { api, kubeconfig } = await startGatewayCluster();
  const connected = await connectToCluster({ kubeconfig, fieldManager: 'gateway' });
  if (!connected.ok) throw new Error(connected.problem);
  const { connection } = connected;
  const objects = names.map((name) => parseVersionedObject(api.apply(serverObject(name)), KIND));
  const known = new Map(objects.map((object) => [object?.object.metadata.name, object]));
  const counts = { comparisons: 0 };
  const writer = new StatusWriter({
    ...{ connection, kinds: createDefinitionKinds('gateway.internal'), leadership: SOLE_LEADER },
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
    connection.close();
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
  const B = { ...A, name: 'b' };
  await Promise.all([A, B].map((each) => writer.writeStatus(each, tryMake(1))));
  const startedAt = performance.now();
  for (const each of [A, B]) await writer.writeStatus(each, tryMake(2));
  expect(writesTo(api)).toBe(2);
  await expect.poll(() => writesTo(api)).toBe(4);
  expect(performance.now() - startedAt).toBeGreaterThan(450);
  expect(storedStatus(api)).toMatchObject({ consecutiveFailures: 2 });
});

it('reports a refusal once and tries again', async () => {
  const lines: string[] = [];
  const { api, store } = await opened({ onWarning: (line) => lines.push(line) });
  api.isAllowed = ({ isStatus }) => !isStatus;
  expect(await store.writeStatus(A, statusOf(1))).toMatchObject({ kind: 'failed' });
  api.isAllowed = () => true;
  await expect.poll(() => storedStatus(api)).toMatchObject({ tools: 1 });
  expect(lines).toEqual([
    expect.stringContaining('could not write the status of MCPServer default/a: it answered 403'),
  ]);
});

it('restores a status that another client changed', async () => {
  const { api, store } = await opened();
  await store.writeStatus(A, statusOf(1));
  const live = api.history.get(KIND, createResourceKey('a'));
  if (live !== undefined) api.apply({ ...live, status: { state: 'Failed' } });
  await expect.poll(() => storedStatus(api)).toMatchObject({ state: 'Connected' });
});

it('shows a refused stdio server as Stopped while autoStart is false, and as Failed otherwise', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  const refused = (autoStart: boolean) =>
    api.apply({ ...serverObject('a'), spec: { type: 'stdio', command: 'run', autoStart } });
  refused(false);
  await openedStore(kubeconfig);
  const conditions = [{ type: 'Ready', status: 'False', reason: 'StdioNotAllowed' }];
  await expect.poll(() => storedStatus(api)).toMatchObject({ state: 'Stopped', conditions });
  refused(true);
  await expect.poll(() => storedStatus(api)).toMatchObject({ state: 'Failed', conditions });
  refused(false);
  await expect.poll(() => storedStatus(api)).toMatchObject({ state: 'Stopped', conditions });
});

it('writes the status of workflows and of refused servers by itself', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(workflowObject('a'));
  api.apply({ ...serverObject('a'), spec: { type: 'stdio', command: 'run' } });
  await openedStore(kubeconfig);
  await expect
    .poll(() => storedStatus(api))
    .toMatchObject({
      state: 'Stopped',
      conditions: [{ type: 'Ready', status: 'False', reason: 'StdioNotAllowed' }],
    });
  const kind = { ...KIND, kind: 'Workflow', resource: 'workflows' };
  await expect
    .poll(() => storedStatus(api, kind))
    .toMatchObject({
      ...{ valid: true, stepCount: 1, referencedTools: ['x_a'] },
      conditions: [{ type: 'Valid', status: 'True', observedGeneration: 1 }],
    });
  api.apply({ ...workflowObject('a'), spec: { description: 'd', steps: [] } });
  await expect
    .poll(() => storedStatus(api, kind))
    .toMatchObject({
      valid: false,
      conditions: [{ type: 'Valid', status: 'False', observedGeneration: 2 }],
    });
});
