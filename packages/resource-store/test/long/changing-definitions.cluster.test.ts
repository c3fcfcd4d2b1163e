import { randomBytes } from 'node:crypto';
import { createCustomResourceDefinition, parseWorkflow } from '@gateway/crd-schemas';
import { openSharedCluster, type Cluster, type ClusterObject } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { createResourceKey, formatProblem } from '../../src/index.ts';
import { openedStore } from '../kubernetes/cluster-store.ts';

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

const KINDS = ['MCPServer', 'Workflow'] as const;
type Kind = (typeof KINDS)[number];

/** A namespace and an API group of one test. */
const prepared = async () => {
  const cluster = await openSharedCluster();
  const namespace = await cluster.namespace();
  const apiGroup = `c${randomBytes(4).toString('hex')}.example.com`;
  const definitions = new Map<Kind, ClusterObject>(
    KINDS.map((kind) => [
      kind,
      createCustomResourceDefinition(kind, { apiGroup }) as ClusterObject,
    ]),
  );
  const object = (kind: Kind, name: string, spec: object): ClusterObject => ({
    ...{ apiVersion: `${apiGroup}/v1alpha1`, kind, metadata: { name, namespace }, spec },
  });
  const open = (onWarning: (line: string) => void = () => undefined) =>
    openedStore(cluster.kubeconfig, { apiGroup, namespaces: [namespace], onWarning });
  return { cluster, namespace, apiGroup, definitions, object, open };
};

const define = async (
  cluster: Cluster,
  definitions: ReadonlyMap<Kind, ClusterObject>,
): Promise<void> => {
  for (const definition of definitions.values()) {
    await cluster.define(definition);
    onTestFinished(() => cluster.admin.remove(definition).catch(() => undefined));
  }
};

const SERVER = { type: 'streamable-http', url: 'http://a.example/mcp' };

it('names definitions that are missing at start or removed later, and follows them when they exist', async () => {
  const { cluster, apiGroup, namespace, definitions, object, open } = await prepared();
  const store = await open();
  const problems = () => store.current().problems.map(formatProblem);
  const missing = (kind: string): string =>
    `Kubernetes API: the Kubernetes API could not list ${kind.toLowerCase()}s in namespace ${namespace}: it does not serve ${kind} of ${apiGroup}/v1alpha1; install the CustomResourceDefinitions, which \`gateway crds\` prints`;
  const both = [missing('MCPServer'), missing('Workflow')];
  await soon(problems).toEqual(both);
  await define(cluster, definitions);
  await soon(problems).toEqual([]);
  const statusOf = async (path: string) => (await cluster.admin.request('GET', path)).status;
  await cluster.admin.apply(object('MCPServer', 'a', SERVER));
  const names = () => store.current().servers.map(({ metadata }) => metadata.name);
  await soon(names).toEqual(['a']);
  for (const definition of definitions.values()) await cluster.admin.remove(definition);
  await soon(names).toEqual([]);
  // The API server may serve a definition for some time after its removal, also when it is created again.
  for (const kind of ['mcpservers', 'workflows'])
    await soon(() => statusOf(`/apis/${apiGroup}/v1alpha1/${kind}`)).toBe(404);
  await define(cluster, definitions);
  await cluster.admin.apply(object('MCPServer', 'b', SERVER));
  await soon(names).toEqual(['b']);
  await soon(problems).toEqual([]);
});

/** Returns the definition of a later version, whose spec has one more field. */
const newer = (definition: ClusterObject | undefined, field: string): ClusterObject => {
  const changed = JSON.parse(JSON.stringify(definition)) as ClusterObject & {
    readonly spec: {
      readonly versions: readonly {
        readonly schema: {
          readonly openAPIV3Schema: {
            readonly properties: { readonly spec: { readonly properties: Record<string, object> } };
          };
        };
      }[];
    };
  };
  for (const { schema } of changed.spec.versions)
    schema.openAPIV3Schema.properties.spec.properties[field] = { type: 'integer' };
  return changed;
};

it.each(['kubectl', 'gateway'])(
  'keeps a field of a newer definition that %s has written',
  async (manager) => {
    const { cluster, apiGroup, namespace, definitions, object, open } = await prepared();
    const changed = new Map(KINDS.map((kind) => [kind, newer(definitions.get(kind), 'later')]));
    await define(cluster, changed);
    const server = object('MCPServer', 'a', { ...SERVER, later: 3 });
    const steps = [{ id: 'one', tool: 'x_a' }];
    const flow = object('Workflow', 'flow', { description: 'First.', steps, later: 4 });
    for (const whole of [server, flow]) {
      const { later, ...spec } = whole['spec'] as Readonly<Record<string, unknown>>;
      const own = manager === 'gateway' ? whole : { ...whole, spec };
      await soon(() =>
        cluster.admin.apply(own, 'gateway').then(
          () => true,
          () => false,
        ),
      ).toBe(true);
      if (own !== whole) await cluster.admin.apply({ ...whole, spec: { later } }, manager);
    }
    const warnings: string[] = [];
    const store = await open((line) => warnings.push(line));
    // A workflow that is not understood completely is not run.
    expect(store.current().problems.map(formatProblem)).toEqual([
      `${namespace}/flow: spec.later: unknown field`,
    ]);
    expect(warnings).toContain(
      `${namespace}/a: spec.later: unknown field; this gateway ignores it`,
    );
    const specOf = async (of: ClusterObject) => (await cluster.admin.read(of))['spec'];

    expect(await store.servers.patch(createResourceKey('a', namespace), { timeout: 5 })).toEqual({
      kind: 'done',
    });
    expect(await specOf(server)).toMatchObject({ later: 3, timeout: 5 });
    expect(await store.servers.patch(createResourceKey('a', namespace), { other: 5 })).toEqual({
      kind: 'invalid',
      issues: ['spec.other: unknown field'],
    });

    const next = object('Workflow', 'flow', {
      description: 'Second.',
      steps: [...steps, { id: 'two', tool: 'x_b' }],
    });
    const parsed = parseWorkflow(next, { apiGroup });
    if (!parsed.ok) throw new Error('invalid');
    expect(await store.workflows.replace(parsed.value.workflow)).toEqual({ kind: 'done' });
    expect(await specOf(flow)).toMatchObject({ later: 4, steps: [{ id: 'one' }, { id: 'two' }] });
  },
);
