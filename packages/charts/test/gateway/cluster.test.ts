import { describe, expect, it } from 'vitest';
import type { ManifestObject } from '../../src/render.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { expectTexts } from '../harness/template-texts.ts';
import { configOf, gatewayObjects } from './gateway-chart.ts';
import { deploymentOf, objectOf } from '../harness/rendered-objects.ts';

const ENABLED = { kubernetes: { enabled: true } };
const remote = { spec: { type: 'streamable-http', url: 'http://wiki/mcp' } };
const stdio = { spec: { type: 'stdio', command: 'a' } };
const workflow = { spec: { steps: [{ id: 'a', tool: 'core_events' }] } };

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Every permission as `<kind> <namespace>: <verb> <resource>`. */
const permissionsOf = (objects: readonly ManifestObject[]): readonly string[] =>
  objects
    .filter(({ kind }) => /^(Cluster)?Role$/u.test(kind))
    .flatMap(({ kind, metadata, rules }) =>
      (rules as readonly Rule[]).flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
        resources.flatMap((resource) =>
          verbs.map((verb) =>
            [
              `${kind} ${metadata.namespace ?? '*'}:`,
              `${verb} ${resource}.${apiGroups.join()}`,
              ...(resourceNames ?? []),
            ].join(' '),
          ),
        ),
      ),
    );

const writesOf = async (muster: object): Promise<readonly string[]> =>
  permissionsOf(await gatewayObjects({ muster: { ...ENABLED, ...muster } }))
    .filter((permission) => /(create|delete) (mcpservers|workflows)\./u.test(permission))
    .map((permission) =>
      permission.replace('.gateway.internal', '').replace('ClusterRole *: ', ''),
    );

it('a gateway that reads files has no permissions and no token', async () => {
  const objects = await gatewayObjects({ mcpservers: { wiki: remote } });
  expect(permissionsOf(objects)).toEqual([]);
  expect(objects.map(({ kind }) => kind)).not.toContain('MCPServer');
  expect(deploymentOf(objects).template.spec['automountServiceAccountToken']).toBe(false);
});

describe('a gateway that reads objects of the cluster', () => {
  it('has the permissions that it needs, in all namespaces, and a Lease of its own', async () => {
    const objects = await gatewayObjects({ muster: ENABLED });
    expect(kubernetesProblems(objects)).toEqual([]);
    const lease = (verb: string) => `Role demo-ns: ${verb} leases.coordination.k8s.io demo-gateway`;
    expect(permissionsOf(objects).toSorted()).toEqual(
      [
        ...['get', 'list', 'watch'].flatMap((verb) =>
          ['mcpservers', 'workflows'].map(
            (resource) => `ClusterRole *: ${verb} ${resource}.gateway.internal`,
          ),
        ),
        'ClusterRole *: patch mcpservers/status.gateway.internal',
        'ClusterRole *: patch workflows/status.gateway.internal',
        ...['list', 'create', 'patch'].map((verb) => `ClusterRole *: ${verb} events.events.k8s.io`),
        'Role demo-ns: create leases.coordination.k8s.io',
        ...['get', 'update', 'watch'].map(lease),
        ...['get', 'list', 'watch', 'create', 'patch', 'delete'].map(
          (verb) => `Role demo-ns: ${verb} workflowexecutions.gateway.internal`,
        ),
      ].toSorted(),
    );
    expect(configOf(objects)['kubernetes']).toEqual({ enabled: true, lease: 'demo-gateway' });
    expect(configOf(objects)).not.toHaveProperty('workflows');
    expect(deploymentOf(objects).template.spec['automountServiceAccountToken']).toBe(true);
  });

  it('has no permissions of runs when their records are files', async () => {
    const workflows = { executionsDirectory: '/var/lib/gateway/runs' };
    const objects = await gatewayObjects({ muster: { ...ENABLED, workflows } });
    expect(permissionsOf(objects).join()).not.toContain('workflowexecutions');
    expect(configOf(objects)).toMatchObject({ workflows });
  });

  it('has them in its namespaces only when those are named, and reads Secrets by name', async () => {
    const objects = await gatewayObjects({
      muster: { kubernetes: { enabled: true, namespaces: ['a', 'b'], namespace: 'c', lease: 'd' } },
      rbac: { secretNames: ['x'], configMapNames: ['y', 'z'] },
    });
    expect(kubernetesProblems(objects)).toEqual([]);
    const permissions = permissionsOf(objects);
    expect(permissions.filter((one) => one.startsWith('ClusterRole'))).toEqual([]);
    for (const namespace of ['a', 'b']) {
      expect(permissions).toContain(`Role ${namespace}: watch mcpservers.gateway.internal`);
      for (const verb of ['get', 'list', 'watch'])
        expect(permissions).toContain(`Role ${namespace}: ${verb} secrets. x`);
      for (const verb of ['list', 'watch'])
        expect(permissions).toContain(`Role ${namespace}: ${verb} configmaps. y z`);
      expect(permissions).not.toContain(`Role ${namespace}: get configmaps. y z`);
    }
    expect(permissions).toContain('Role c: update leases.coordination.k8s.io d');
    expect(permissions.filter((one) => one.startsWith('Role c: watch'))).toEqual([
      'Role c: watch leases.coordination.k8s.io d',
      'Role c: watch workflowexecutions.gateway.internal',
    ]);
  });

  it('reads and writes every Secret of its namespaces only when it is told to', async () => {
    const muster = { kubernetes: { enabled: true, namespaces: ['a'] } };
    const secretsOf = async (rbac: object) =>
      permissionsOf(await gatewayObjects({ muster, rbac })).filter((one) =>
        one.includes('secrets'),
      );
    expect(await secretsOf({})).toEqual([]);
    expect(await secretsOf({ writeSecrets: true })).toEqual(
      ['get', 'list', 'watch', 'create', 'update', 'delete'].map(
        (verb) => `Role a: ${verb} secrets.`,
      ),
    );
  });

  it('writes definitions only where core tools do', async () => {
    const both = ['create mcpservers', 'create workflows', 'delete mcpservers', 'delete workflows'];
    const signsIn = {
      http: { publicUrl: 'https://gateway.example.com' },
      auth: { mode: 'resource-server', issuers: [{ issuer: 'https://login.example.com' }] },
    };
    expect(await writesOf({})).toEqual([]);
    expect(await writesOf({ coreTools: { writes: 'workflows' } })).toEqual([
      'create workflows',
      'delete workflows',
    ]);
    expect((await writesOf({ coreTools: { writes: 'all' } })).toSorted()).toEqual(both);
    expect((await writesOf(signsIn)).toSorted()).toEqual(both);
    expect(await writesOf({ ...signsIn, coreTools: { writes: 'none' } })).toEqual([]);
  });

  it('has no permissions of the chart with rbac.create: false', async () => {
    const objects = await gatewayObjects({ muster: ENABLED, rbac: { create: false } });
    expect(permissionsOf(objects)).toEqual([]);
    expect(deploymentOf(objects).template.spec['automountServiceAccountToken']).toBe(true);
  });

  it('gets servers and workflows of the values as objects instead of files', async () => {
    const objects = await gatewayObjects({
      muster: ENABLED,
      mcpservers: { wiki: { ...remote, labels: { team: 'a' } } },
      workflows: { pages: workflow },
    });
    expect(objects.filter(({ kind }) => kind === 'ConfigMap')).toHaveLength(1);
    expect(objectOf(objects, 'MCPServer')).toMatchObject({
      metadata: {
        name: 'wiki',
        namespace: 'demo-ns',
        labels: { team: 'a', 'app.kubernetes.io/instance': 'demo' },
      },
      spec: remote.spec,
    });
    expect(objectOf(objects, 'Workflow')).toMatchObject({ spec: workflow.spec });
  });

  it('refuses what it would not read', async () => {
    const fromFiles =
      'are files, and with muster.kubernetes.enabled the gateway reads objects of the cluster: apply them, with envFrom or headersFrom for Secrets';
    const named = { enabled: true, namespaces: ['tools'] };
    const withStdio = { enabled: true, allowStdio: true };
    await expectTexts('gateway', '{{ include "gateway.problem" . }}', {
      [`mcpserversFrom ${fromFiles}`]: {
        muster: ENABLED,
        mcpserversFrom: [{ secret: 'a', names: ['b'] }],
      },
      [`workflowsFrom ${fromFiles}`]: {
        muster: ENABLED,
        workflowsFrom: [{ configMap: 'a', names: ['b'] }],
      },
      'mcpservers.a.spec.type: stdio servers are not started in a cluster, because each is a command that runs in the pod of the gateway; muster.kubernetes.allowStdio: true permits them':
        { muster: ENABLED, mcpservers: { a: stdio } },
      'mcpservers and workflows are objects of the namespace "demo-ns", which muster.kubernetes.namespaces does not name':
        { muster: { kubernetes: named }, mcpservers: { a: remote } },
      'rbac.create would grant its permissions to the account "default" and to other pods: set an account in serviceAccount.name, or set serviceAccount.create':
        { muster: ENABLED, serviceAccount: { create: false } },
      '': [
        { muster: { kubernetes: withStdio }, mcpservers: { a: stdio } },
        { muster: ENABLED, serviceAccount: { create: false, name: 'shared' } },
      ],
    });
  });
});
