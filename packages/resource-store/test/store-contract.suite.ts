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
  /** Returns the values in the Secret that is made for a server, by key; undefined without one. */
  readonly readSecrets: (name: string) => Promise<Readonly<Record<string, string>> | undefined>;
  /** The name of the Secret that is made for the server `a`. */
  readonly secretName: string;
  /** A spec that another client can write although it is not valid. */
  readonly invalidSpec: object;
}

/** The document of a server. */
type ServerDocument = Readonly<Record<string, unknown>> & {
  readonly metadata: { readonly name: string };
};

const DONE = { kind: 'done' };
const MISSING = { kind: 'missing' };
const EXISTS = { kind: 'exists' };
const A = createResourceKey('a');
const B = createResourceKey('b');
const ELSEWHERE = createResourceKey('a', 'elsewhere');

/** Returns the document of a server in the default namespace. */
const documentOf = (kind: string, name: string, spec: object): ServerDocument => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind,
  metadata: { name },
  spec,
});

const serverOf = (name: string, command = 'run') =>
  documentOf('MCPServer', name, { type: 'stdio', command });

const workflowOf = (name: string, tool = 'x_a') => {
  const spec = { description: 'A workflow.', steps: [{ id: 'one', tool }] };
  const parsed = parseWorkflow(documentOf('Workflow', name, spec));
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

/** The contract of a resource store. Every adapter runs it. */
export const storeContract = (name: string, open: () => Promise<StoreUnderTest>): void => {
  /** A store with the server `a`. */
  const openWithServer = async () => {
    const opened = await open();
    const { servers } = opened.store;
    expect(await servers.create(serverOf('a'))).toEqual(DONE);
    const commands = () => commandsOf(opened.store.current());
    return { ...opened, servers, commands };
  };

  describe(`${name}: servers`, () => {
    it('creates, patches and removes a server, and shows each write when it is done', async () => {
      const { servers, commands } = await openWithServer();
      expect(commands()).toEqual(['a=run']);
      expect(await servers.patch(A, { command: 'go' })).toEqual(DONE);
      expect(commands()).toEqual(['a=go']);
      expect([await servers.remove(A), commands()]).toEqual([DONE, []]);
    });

    it('does not create a server twice, nor change one of another name or namespace', async () => {
      const { servers, commands } = await openWithServer();
      expect(await servers.create(serverOf('a', 'go'))).toEqual(EXISTS);
      for (const key of [B, ELSEWHERE]) {
        expect(await servers.patch(key, { command: 'go' })).toEqual(MISSING);
        expect(await servers.remove(key)).toEqual(MISSING);
      }
      expect(commands()).toEqual(['a=run']);
    });

    it('refuses a patch that makes a server invalid', async () => {
      const { servers, commands } = await openWithServer();
      expect(await servers.patch(A, { command: null })).toMatchObject({ kind: 'invalid' });
      expect(commands()).toEqual(['a=run']);
    });

    it('keeps where the values of Secrets are sent in a limited patch', async () => {
      const { servers, commands } = await openWithServer();
      const limits = { keepsDestination: true };
      const envFrom = [{ name: 'TOKEN', secretKeyRef: { name: 'api', key: 'token' } }];
      const restricted = (field: string) => ({ kind: 'restricted', field });
      expect(await servers.patch(A, { command: 'go' }, limits)).toEqual(DONE);
      expect(await servers.patch(A, { envFrom }, limits)).toEqual(restricted('envFrom'));
      expect(await servers.patch(A, { envFrom })).toEqual(DONE);
      expect(await servers.patch(A, { command: 'curl' }, limits)).toEqual(restricted('command'));
      expect(commands()).toEqual(['a=go']);
      const harmless = { description: 'A server.', command: 'go' };
      expect(await servers.patch(A, harmless, limits)).toEqual(DONE);
    });

    it('applies concurrent patches of one server one after the other', async () => {
      const { store, servers } = await openWithServer();
      const env = { A: 'A', B: 'B', C: 'C', D: 'D' };
      await Promise.all(
        Object.entries(env).map(([key, value]) => servers.patch(A, { env: { [key]: value } })),
      );
      expect(store.current().servers).toMatchObject([{ spec: { env } }]);
    });
  });

  describe(`${name}: secrets of servers`, () => {
    const TOKEN = 'ghp_one';
    const withEnv = (env: object, name = 'a') =>
      documentOf('MCPServer', name, { type: 'stdio', command: 'run', env });
    const openWithSecret = async () => {
      const opened = await open();
      const { servers } = opened.store;
      expect(await servers.create(withEnv({ TOKEN, LEVEL: 'info' }))).toEqual(DONE);
      const { secretName: name, store, readSecrets } = opened;
      const secretKeyRef = { name, key: 'TOKEN', optional: false };
      return {
        ...opened,
        servers,
        reference: { name: 'TOKEN', secretKeyRef },
        spec: () => store.current().servers[0]?.spec,
        stored: () => readSecrets('a'),
      };
    };

    it('are values of its Secret, and the server refers to them', async () => {
      const { spec, stored, reference } = await openWithSecret();
      expect(spec()).toMatchObject({ env: { LEVEL: 'info' }, envFrom: [reference] });
      expect(JSON.stringify(spec())).not.toContain(TOKEN);
      expect(await stored()).toEqual({ TOKEN });
    });

    it('keep each character, also of long values and with names of the prototype', async () => {
      const { store, readSecrets } = await open();
      const values = JSON.parse('{"__proto__":"ghp_p","constructor":"ghp_c"}') as object;
      const env = { ...values, A_KEY: 'one\ntwo\n\n', B_KEY: `é${'x'.repeat(65_500)}` };
      expect(await store.servers.create(withEnv({ ...env, ['__proto__']: 'ghp_p' }))).toEqual(DONE);
      const { ['__proto__']: own, ...others } = (await readSecrets('a')) ?? {};
      expect(own).toBe('ghp_p');
      expect(others).toEqual({ constructor: 'ghp_c', A_KEY: env.A_KEY, B_KEY: env.B_KEY });
    });

    it('stay when a change has them masked, and change with the definition as it is', async () => {
      const { servers, spec, stored } = await openWithSecret();
      const before = spec();
      const masked = { env: { TOKEN: '***', LEVEL: '***' } };
      expect(await servers.patch(A, masked)).toEqual(DONE);
      expect([spec(), await stored()]).toEqual([before, { TOKEN }]);
      expect(await servers.patch(A, { env: { OTHER: '***' } })).toEqual({
        kind: 'invalid',
        issues: ['spec.env.OTHER: is ***, and there is no value to keep'],
      });
      const limits = { keepsDestination: true };
      expect(await servers.patch(A, { env: { TOKEN: 'ghp_two' } }, limits)).toEqual(DONE);
      expect([spec(), await stored()]).toEqual([before, { TOKEN: 'ghp_two' }]);
      expect(await servers.patch(A, { env: { TOKEN: null } })).toEqual(DONE);
      expect(spec()).not.toHaveProperty('envFrom');
    });

    it('are sent elsewhere by a limited patch that gives them again, and by no other', async () => {
      const { servers, spec, stored, reference } = await openWithSecret();
      const limits = { keepsDestination: true };
      const restricted = { kind: 'restricted', field: 'command' };
      expect(await servers.patch(A, { command: 'curl' }, limits)).toEqual(restricted);
      const values = { env: { LEVEL: 'debug', OTHER_KEY: 'ghp_o' } };
      expect(await servers.patch(A, values, limits)).toEqual(DONE);
      expect(await servers.patch(A, { env: { OTHER_KEY: null } }, limits)).toEqual(DONE);
      const again = { command: 'curl', env: { TOKEN: 'ghp_mine' } };
      expect(await servers.patch(A, again, limits)).toEqual(DONE);
      expect(spec()).toMatchObject({ command: 'curl', envFrom: [reference] });
      expect(await stored()).toMatchObject({ TOKEN: 'ghp_mine' });
    });

    it('are not written when the server is not, nor changed', async () => {
      const { servers, spec, stored, readSecrets } = await openWithSecret();
      const before = spec();
      expect(await servers.create(withEnv({ TOKEN: 'ghp_other' }))).toEqual(EXISTS);
      const invalid = { env: { TOKEN: 'ghp_other' }, command: null };
      expect(await servers.patch(A, invalid)).toMatchObject({ kind: 'invalid' });
      expect([spec(), await stored()]).toEqual([before, { TOKEN }]);
      for (const name of ['../b', 'B', 'b/../../c', ''])
        expect(await servers.create(withEnv({ TOKEN }, name))).not.toEqual(DONE);
      const long = { TOKEN: 'x'.repeat(65_537) };
      expect(await servers.create(withEnv(long, 'b'))).toMatchObject({ kind: 'invalid' });
      expect(await readSecrets('b')).toBe(undefined);
    });

    it('are those of the server when several clients create it at once', async () => {
      const { store, readSecrets } = await open();
      const tokens = ['ghp_1', 'ghp_2', 'ghp_3', 'ghp_4'];
      const outcomes = await Promise.all(
        tokens.map((token) => store.servers.create(withEnv({ TOKEN: token }))),
      );
      const created = tokens.filter((_, at) => outcomes[at]?.kind === 'done');
      expect(created).toHaveLength(1);
      expect(await readSecrets('a')).toEqual({ TOKEN: created[0] });
    });

    it('are deleted with the server, unless another one refers to them', async () => {
      const { store, servers, stored, reference } = await openWithSecret();
      expect(await servers.remove(A)).toEqual(DONE);
      expect(await stored()).toBe(undefined);
      expect(await servers.create(withEnv({ TOKEN }))).toEqual(DONE);
      const other = { type: 'stdio', command: 'run', envFrom: [reference] };
      expect(await servers.create(documentOf('MCPServer', 'b', other))).toEqual(DONE);
      expect(await servers.remove(A)).toEqual(DONE);
      expect([commandsOf(store.current()), await stored()]).toEqual([['b=run'], { TOKEN }]);
    });
  });

  describe(`${name}: workflows`, () => {
    it('creates, replaces and removes a workflow, and shows each write when it is done', async () => {
      const { store } = await open();
      const { create, replace, remove } = store.workflows;
      expect(await create(workflowOf('a'))).toEqual(DONE);
      expect(await create(workflowOf('a'))).toEqual(EXISTS);
      expect(await replace(workflowOf('a', 'x_b'))).toEqual(DONE);
      expect(toolsOf(store.current())).toEqual(['a=x_b']);
      expect(await replace(workflowOf('b'))).toEqual(MISSING);
      expect(await remove(ELSEWHERE)).toEqual(MISSING);
      expect([await remove(A), toolsOf(store.current())]).toEqual([DONE, []]);
    });
  });

  describe(`${name}: changes`, () => {
    it('notifies of the changes of another client, with the previous state', async () => {
      const { store, writeServer, deleteServer } = await open();
      const seen: (readonly string[])[] = [];
      store.subscribe((state, previous) => {
        if (state.servers !== previous.servers) seen.push(commandsOf(state));
      });
      await writeServer(serverOf('a'));
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
      await store.servers.create(serverOf('a'));
      expect(count).toBe(0);
    });

    it('shows a change of another client after a refresh', async () => {
      const { store, writeServer } = await open();
      await writeServer(serverOf('a'));
      await store.refresh();
      expect(commandsOf(store.current())).toEqual(['a=run']);
    });

    it('reports an invalid server as a problem and keeps the others', async () => {
      const { store, commands, writeServer, invalidSpec } = await openWithServer();
      await writeServer(documentOf('MCPServer', 'b', invalidSpec));
      await expect.poll(() => store.current().problems.length).toBeGreaterThan(0);
      const subjects = store
        .current()
        .problems.map((problem) => `${problem.kind}/${problem.name ?? ''}`);
      expect([...new Set(subjects)]).toEqual(['MCPServer/b']);
      expect(commands()).toEqual(['a=run']);
    });

    it('preserves the identity of unchanged resources', async () => {
      const { store, servers } = await openWithServer();
      const [before] = store.current().servers;
      await servers.create(serverOf('b'));
      expect(store.current().servers[0]).toBe(before);
    });
  });

  describe(`${name}: status`, () => {
    const reference = { kind: 'MCPServer', ...A } as const;

    it('writes and reads the status of a resource without a change of the desired state', async () => {
      const { store } = await openWithServer();
      const before = store.current();
      expect(store.status(reference)).toBe(undefined);
      for (const status of [STATUS, { ...STATUS, restartCount: 2 }]) {
        expect(await store.writeStatus(reference, status)).toEqual(DONE);
        expect(store.status(reference)).toEqual(status);
      }
      expect(store.current()).toBe(before);
    });

    it('does not write the status of a resource that does not exist', async () => {
      const { store } = await openWithServer();
      for (const key of [B, ELSEWHERE]) {
        const other = { kind: 'MCPServer', ...key } as const;
        expect(await store.writeStatus(other, STATUS)).toEqual(MISSING);
        expect(store.status(other)).toBe(undefined);
      }
    });

    it('ends a status with its resource', async () => {
      const { store, servers } = await openWithServer();
      await store.writeStatus(reference, STATUS);
      await servers.remove(A);
      await expect.poll(() => store.status(reference)).toBe(undefined);
      await servers.create(serverOf('a'));
      expect(store.status(reference)).toBe(undefined);
    });
  });
};
