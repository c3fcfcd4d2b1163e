import { parseWorkflow, type McpServerStatus } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { createResourceKey, type ResourceStore } from '../src/index.ts';
import type { ResourceState } from '../src/port/resources.ts';

/** A backend for one test, and how another client changes it. */
export interface StoreUnderTest {
  readonly store: ResourceStore;
  /** Creates or replaces a server. */
  readonly writeServer: (document: ServerDocument) => Promise<void>;
  readonly deleteServer: (name: string) => Promise<void>;
  /** Creates or replaces a server with a document that is not valid. */
  readonly writeInvalidServer: (name: string) => Promise<void>;
}

/** The document of a server. */
type ServerDocument = Readonly<Record<string, unknown>> & {
  readonly metadata: { readonly name: string };
};

const API_VERSION = 'gateway.internal/v1alpha1';

/** Returns the document of a stdio server in the default namespace. */
const serverDocument = (name: string, command = 'run'): ServerDocument => ({
  apiVersion: API_VERSION,
  kind: 'MCPServer',
  metadata: { name },
  spec: { type: 'stdio', command },
});

const workflowOf = (name: string, tool = 'x_a') => {
  const parsed = parseWorkflow({
    apiVersion: API_VERSION,
    kind: 'Workflow',
    metadata: { name },
    spec: { description: 'A workflow.', steps: [{ id: 'one', tool }] },
  });
  if (!parsed.ok) throw new Error('the workflow is invalid');
  return parsed.value.workflow;
};

const STATUS: McpServerStatus = {
  state: 'Connected',
  restartCount: 1,
  consecutiveFailures: 0,
  conditions: [],
};

const commandsOf = ({ servers }: ResourceState): readonly string[] =>
  servers.map(({ metadata, spec }) => `${metadata.name}=${'command' in spec ? spec.command : ''}`);

const toolsOf = ({ workflows }: ResourceState): readonly string[] =>
  workflows.map(({ name, status }) => `${name}=${status.referencedTools.join('+')}`);

/** Polls for up to ten seconds, because backends notify asynchronously and machines may be busy. */

const servers = (open: () => Promise<StoreUnderTest>): void => {
  it('creates, patches and removes a server, and shows each write when it is done', async () => {
    const { store } = await open();
    expect(await store.servers.create(serverDocument('a'))).toEqual({ kind: 'done' });
    expect(commandsOf(store.current())).toEqual(['a=run']);
    expect(await store.servers.patch(createResourceKey('a'), { command: 'go' })).toEqual({
      kind: 'done',
    });
    expect(commandsOf(store.current())).toEqual(['a=go']);
    expect(await store.servers.remove(createResourceKey('a'))).toEqual({ kind: 'done' });
    expect(commandsOf(store.current())).toEqual([]);
  });

  it('does not create a server twice, nor change one that does not exist', async () => {
    const { store } = await open();
    await store.servers.create(serverDocument('a'));
    expect(await store.servers.create(serverDocument('a', 'go'))).toEqual({ kind: 'exists' });
    expect(await store.servers.patch(createResourceKey('b'), {})).toEqual({ kind: 'missing' });
    expect(await store.servers.remove(createResourceKey('b'))).toEqual({ kind: 'missing' });
    expect(commandsOf(store.current())).toEqual(['a=run']);
  });

  it('addresses a server by its namespace and name', async () => {
    const { store } = await open();
    await store.servers.create(serverDocument('a'));
    const elsewhere = createResourceKey('a', 'elsewhere');
    expect(await store.servers.patch(elsewhere, { command: 'go' })).toEqual({ kind: 'missing' });
    expect(await store.servers.remove(elsewhere)).toEqual({ kind: 'missing' });
    expect(commandsOf(store.current())).toEqual(['a=run']);
  });

  it('refuses a patch that makes a server invalid', async () => {
    const { store } = await open();
    await store.servers.create(serverDocument('a'));
    expect(await store.servers.patch(createResourceKey('a'), { command: null })).toMatchObject({
      kind: 'invalid',
    });
    expect(commandsOf(store.current())).toEqual(['a=run']);
  });

  it('keeps where the values of Secrets are sent in a limited patch', async () => {
    const { store } = await open();
    const [key, limits] = [createResourceKey('a'), { keepsDestination: true }];
    const references = [{ name: 'TOKEN', secretKeyRef: { name: 'api', key: 'token' } }];
    await store.servers.create(serverDocument('a'));
    expect(await store.servers.patch(key, { command: 'go' }, limits)).toEqual({ kind: 'done' });
    expect(await store.servers.patch(key, { envFrom: references }, limits)).toEqual({
      kind: 'restricted',
      field: 'envFrom',
    });
    expect(await store.servers.patch(key, { envFrom: references })).toEqual({ kind: 'done' });
    expect(await store.servers.patch(key, { command: 'curl' }, limits)).toEqual({
      kind: 'restricted',
      field: 'command',
    });
    expect(commandsOf(store.current())).toEqual(['a=go']);
    const harmless = { description: 'A server.', command: 'go' };
    expect(await store.servers.patch(key, harmless, limits)).toEqual({ kind: 'done' });
  });

  it('applies concurrent patches of one server one after the other', async () => {
    const { store } = await open();
    await store.servers.create(serverDocument('a'));
    const keys = ['A', 'B', 'C', 'D'];
    await Promise.all(
      keys.map((key) => store.servers.patch(createResourceKey('a'), { env: { [key]: key } })),
    );
    const [server] = store.current().servers;
    expect(server?.spec).toMatchObject({ env: Object.fromEntries(keys.map((key) => [key, key])) });
  });
};

const workflows = (open: () => Promise<StoreUnderTest>): void => {
  it('creates, replaces and removes a workflow, and shows each write when it is done', async () => {
    const { store } = await open();
    expect(await store.workflows.create(workflowOf('a'))).toEqual({ kind: 'done' });
    expect(await store.workflows.create(workflowOf('a'))).toEqual({ kind: 'exists' });
    expect(await store.workflows.replace(workflowOf('a', 'x_b'))).toEqual({ kind: 'done' });
    expect(toolsOf(store.current())).toEqual(['a=x_b']);
    expect(await store.workflows.replace(workflowOf('b'))).toEqual({ kind: 'missing' });
    expect(await store.workflows.remove(createResourceKey('a', 'elsewhere'))).toEqual({
      kind: 'missing',
    });
    expect(await store.workflows.remove(createResourceKey('a'))).toEqual({ kind: 'done' });
    expect(toolsOf(store.current())).toEqual([]);
  });
};

const changes = (open: () => Promise<StoreUnderTest>): void => {
  it('notifies of the changes of another client, with the previous state', async () => {
    const { store, writeServer, deleteServer } = await open();
    const seen: (readonly string[])[] = [];
    store.subscribe((state, previous) => {
      if (state.servers !== previous.servers) seen.push(commandsOf(state));
    });
    await writeServer(serverDocument('a'));
    await expect.poll(() => seen).toEqual([['a=run']]);
    await deleteServer('a');
    await expect.poll(() => seen).toEqual([['a=run'], []]);
  });

  it('does not notify after the subscription has ended', async () => {
    const { store } = await open();
    let count = 0;
    const end = store.subscribe(() => {
      count += 1;
    });
    end();
    end();
    await store.servers.create(serverDocument('a'));
    expect(count).toBe(0);
  });

  it('shows a change of another client after a refresh', async () => {
    const { store, writeServer } = await open();
    await writeServer(serverDocument('a'));
    await store.refresh();
    expect(commandsOf(store.current())).toEqual(['a=run']);
  });

  it('reports an invalid server as a problem and keeps the others', async () => {
    const { store, writeInvalidServer } = await open();
    await store.servers.create(serverDocument('a'));
    await writeInvalidServer('b');
    await expect.poll(() => store.current().problems.length).toBeGreaterThan(0);
    const subjects = store.current().problems.map(({ kind, name = '' }) => `${kind}/${name}`);
    expect([...new Set(subjects)]).toEqual(['MCPServer/b']);
    expect(commandsOf(store.current())).toEqual(['a=run']);
  });

  it('preserves the identity of unchanged resources', async () => {
    const { store } = await open();
    await store.servers.create(serverDocument('a'));
    const [before] = store.current().servers;
    await store.servers.create(serverDocument('b'));
    expect(store.current().servers[0]).toBe(before);
  });
};

const statuses = (open: () => Promise<StoreUnderTest>): void => {
  const reference = { kind: 'MCPServer', ...createResourceKey('a') } as const;

  it('writes and reads the status of a resource without a change of the desired state', async () => {
    const { store } = await open();
    await store.servers.create(serverDocument('a'));
    const before = store.current();
    expect(store.status(reference)).toBe(undefined);
    expect(await store.writeStatus(reference, STATUS)).toEqual({ kind: 'done' });
    expect(store.status(reference)).toEqual(STATUS);
    expect(store.current()).toBe(before);
    const next = { ...STATUS, restartCount: 2 };
    expect(await store.writeStatus(reference, next)).toEqual({ kind: 'done' });
    expect(store.status(reference)).toEqual(next);
  });

  it('does not write the status of a resource that does not exist', async () => {
    const { store } = await open();
    expect(await store.writeStatus(reference, STATUS)).toEqual({ kind: 'missing' });
    await store.servers.create(serverDocument('a'));
    const elsewhere = { ...reference, namespace: 'elsewhere' };
    expect(await store.writeStatus(elsewhere, STATUS)).toEqual({ kind: 'missing' });
    expect(store.status(elsewhere)).toBe(undefined);
  });

  it('ends a status with its resource', async () => {
    const { store } = await open();
    await store.servers.create(serverDocument('a'));
    await store.writeStatus(reference, STATUS);
    await store.servers.remove(createResourceKey('a'));
    await expect.poll(() => store.status(reference)).toBe(undefined);
    await store.servers.create(serverDocument('a'));
    expect(store.status(reference)).toBe(undefined);
  });
};

/** The contract of a resource store. Every adapter runs it. */
export const storeContract = (name: string, open: () => Promise<StoreUnderTest>): void => {
  describe(`${name}: servers`, () => {
    servers(open);
  });
  describe(`${name}: workflows`, () => {
    workflows(open);
  });
  describe(`${name}: changes`, () => {
    changes(open);
  });
  describe(`${name}: status`, () => {
    statuses(open);
  });
};
