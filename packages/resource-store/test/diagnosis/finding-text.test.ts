import { expect, it } from 'vitest';
import { findingText, serverTroubles, type ClusterFinding } from '../../src/index.ts';
import { leaderOf } from '../../src/diagnosis/check-leader.ts';
import { missingFields } from '../../src/diagnosis/missing-fields.ts';
import { requiredAccess } from '../../src/diagnosis/required-access.ts';

const lines = (finding: ClusterFinding): string => {
  const { severity, message, remedy = '' } = findingText(finding);
  return `${severity}: ${message} ${remedy}`.trimEnd();
};

const DEFINITION = { apiGroup: 'g.example', version: 'v1alpha1' } as const;
const RULE = { group: 'g.example', resource: 'workflows', verbs: ['get', 'watch'] };
const LEASE = { code: 'no-leader', lease: 'a/gateway' } as const;
const SERVER = { code: 'server', server: 'a/github' } as const;

it.each<[ClusterFinding, string]>([
  [
    { code: 'no-cluster', problem: 'the kubeconfig x cannot be read (ENOENT)' },
    'problem: No cluster can be used: the kubeconfig x cannot be read (ENOENT). Set kubernetes.kubeconfig in config.yaml or KUBECONFIG, or run the command in the pod of the gateway.',
  ],
  [
    { code: 'api-unreachable', failure: { kind: 'broken', code: 'CERT_HAS_EXPIRED' } },
    'problem: The Kubernetes API cannot be used: the connection failed (CERT_HAS_EXPIRED). Renew the certificate of the API server.',
  ],
  [
    { code: 'api-unreachable', failure: { kind: 'broken', code: 'ECONNREFUSED' } },
    'problem: The Kubernetes API cannot be used: the connection failed (ECONNREFUSED). Check the address of the cluster in the kubeconfig, the network policies and that the API server runs.',
  ],
  [
    {
      ...{ code: 'api-unreachable' },
      failure: { kind: 'refused', status: 401, message: 'Unauthorized' },
    },
    'problem: The Kubernetes API cannot be used: it answered 401: Unauthorized. Check the user of the kubeconfig, or the service account of the pod: its token or certificate is missing, expired or of another cluster.',
  ],
  [
    { code: 'definition-missing', kind: 'Workflow', ...DEFINITION, served: ['v1'] },
    'problem: The Kubernetes API does not serve Workflow of g.example/v1alpha1; the versions of g.example that it serves: v1. Install the CustomResourceDefinition: gateway crds workflow --api-group g.example | kubectl apply --server-side -f -',
  ],
  [
    { code: 'definition-older', kind: 'MCPServer', ...DEFINITION, missing: ['spec.cwd'] },
    'problem: The CustomResourceDefinition of MCPServer of g.example/v1alpha1 is older than this program: it does not have spec.cwd. Replace it: gateway crds mcpserver --api-group g.example | kubectl apply --server-side -f -',
  ],
  [
    { code: 'access-missing', account: 'alice', access: RULE },
    'problem: alice may not get, watch workflows of g.example in all namespaces. Add this rule to a ClusterRole that is bound to it: {apiGroups: ["g.example"], resources: [workflows], verbs: [get, watch]}',
  ],
  [
    {
      ...{ code: 'access-missing', account: 'alice' },
      access: { ...RULE, name: 'gateway', namespace: 'a' },
    },
    'problem: alice may not get, watch workflows of g.example with the name gateway in namespace a. Add this rule to a Role in namespace a that is bound to it: {apiGroups: ["g.example"], resources: [workflows], resourceNames: [gateway], verbs: [get, watch]}',
  ],
  [
    {
      ...{ code: 'object-refused', kind: 'MCPServer', source: 'a/b', reason: 'invalid' },
      message: 'spec.timeout: must be at most 300',
    },
    'problem: MCPServer a/b is not used: spec.timeout: must be at most 300. Correct the object; gateway events shows when it is used.',
  ],
  [
    { ...LEASE, absence: { cause: 'expired', holder: 'pod-1', seconds: 90 } },
    'problem: No replica leads with the Lease a/gateway: pod-1 has not renewed it for 90 s. No statuses are written, and those that exist may be old. Start a gateway, and check its log for "this replica cannot lead"; kubernetes.lease and kubernetes.namespace must be those of the running gateway.',
  ],
  [
    { code: 'other-leader', lease: 'b/gateway', holder: 'pod-2' },
    'note: pod-2 leads with another Lease, b/gateway. Two gateways that use the same namespaces both write statuses and events. Set the same kubernetes.lease and kubernetes.namespace in both, or separate kubernetes.namespaces.',
  ],
  [
    { code: 'namespace-unknown', namespace: 'a' },
    'note: This account may not read namespaces, so that a missing namespace a looks like missing permissions. Before you add a Role, check that it exists: kubectl get namespace a',
  ],
  [
    { code: 'secret-unusable', server: 'a/github', reason: 'Secret a/client does not exist' },
    'problem: MCPServer a/github cannot use its client credentials: Secret a/client does not exist. Create or correct the Secret, or correct clientCredentialsSecretRef of the server.',
  ],
  [
    { code: 'leader', lease: 'a/gateway', holder: 'pod-1' },
    'note: pod-1 leads with the Lease a/gateway.',
  ],
  [
    { ...SERVER, trouble: { cause: 'failed', state: 'Failed', reason: 'It ended.' } },
    'problem: MCPServer a/github is Failed: It ended. Correct its definition or the server, then: gateway servers restart github',
  ],
  [
    { ...SERVER, trouble: { cause: 'personal-sign-in' } },
    'note: MCPServer a/github requires that each person signs in to it. A person without its tools signs in with core_auth_login, argument server: github',
  ],
])('%o', (finding, text) => {
  expect(lines(finding)).toBe(text);
});

it('lists at most ten missing fields', () => {
  const missing = Array.from({ length: 12 }, (_, index) => `spec.f${String(index)}`);
  const text = lines({ code: 'definition-older', kind: 'MCPServer', ...DEFINITION, missing });
  expect(text).toContain('spec.f9 and 2 more. Replace it');
});

const remote = {
  ...{ type: 'streamable-http', url: 'http://a.example/mcp', autoStart: true },
} as const;
const NO_AUTH = { type: 'none', forwardToken: false } as const;

it('expects the servers that start automatically to be connected', () => {
  const spec = { ...remote, auth: NO_AUTH } as Parameters<typeof serverTroubles>[0];
  const idle = { ...spec, autoStart: false };
  const cause = (...[definition, reported]: Parameters<typeof serverTroubles>) =>
    serverTroubles(definition, reported).map((trouble) => trouble.cause);
  expect(cause(spec, { state: 'Connected' })).toEqual([]);
  expect(cause(spec, { state: 'Disconnected' })).toEqual(['failed']);
  expect(cause(idle, { state: 'Disconnected' })).toEqual([]);
  expect(cause(idle, { state: 'Failed' })).toEqual(['failed']);
  expect(cause(spec, {})).toEqual(['unreported']);
  expect(cause(idle, {})).toEqual([]);
  expect(cause(spec, { state: 'Auth Required' })).toEqual(['refused-sign-in']);
  const personal = { ...spec, auth: { ...NO_AUTH, type: 'oauth' } } as typeof spec;
  expect(cause(personal, { state: 'Auth Required' })).toEqual(['personal-sign-in']);
  expect(cause(spec, { state: 'Connected', namesTaken: 'x' })).toEqual(['names-taken']);
});

it('compares the fields of schemas', () => {
  const tool = { properties: { tool: {}, id: {} } };
  const expected = { properties: { spec: { properties: { steps: { items: tool }, any: tool } } } };
  const older = {
    properties: {
      spec: {
        properties: {
          steps: { items: { properties: { id: {} } } },
          any: { 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  };
  expect(missingFields(expected, older)).toEqual(['spec.steps[].tool']);
  expect(missingFields(older, expected)).toEqual([]);
});

it('accepts a difference of clocks of 30 seconds', () => {
  const at = Date.parse('2026-01-01T00:00:00Z');
  const spec = {
    ...{ holderIdentity: 'pod-1', leaseDurationSeconds: 12 },
    renewTime: '2026-01-01T00:00:00.000000Z',
  };
  expect(leaderOf({ spec }, at + 42_000)).toEqual({ holder: 'pod-1' });
  expect(leaderOf({ spec }, at + 43_000)).toEqual({
    ...{ cause: 'expired', holder: 'pod-1', seconds: 43 },
  });
  expect(leaderOf({ spec: { holderIdentity: '' } }, at)).toEqual({ cause: 'released' });
});

it('needs the permissions of writes only where core tools write, and those of runs where they are objects', () => {
  const needs = {
    ...{ apiGroup: 'g.example', namespace: 'own', lease: 'gateway' },
    namespaces: ['a', 'b'],
  };
  const verbs = (writes: 'all' | 'workflows' | 'none', storesRuns = false) =>
    requiredAccess({ ...needs, writes, storesRuns })
      .filter((access) => access.verbs.includes('delete'))
      .map(({ resource, namespace }) => `${resource} ${String(namespace)}`);
  expect(verbs('none')).toEqual([]);
  expect(verbs('none', true)).toEqual(['workflowexecutions own']);
  expect(verbs('workflows')).toEqual(['workflows a', 'workflows b']);
  expect(verbs('all')).toEqual(['mcpservers a', 'workflows a', 'mcpservers b', 'workflows b']);
});
