import { parseConfig } from '@gateway/gateway-config';
import { expect, it } from 'vitest';
import { toClusterOptions } from '../../src/actions/doctor.ts';
import { createAccessProblem, listRequiredAccess } from '../../src/doctor/check-access.ts';
import { findLeader, createApiProblem } from '../../src/doctor/check-cluster.ts';
import { checkDefinition, listMissingFields } from '../../src/doctor/check-definitions.ts';
import { createSecretProblem } from '../../src/doctor/check-objects.ts';
import { checkReportedServer } from '../../src/doctor/check-servers.ts';
import type { Check } from '../../src/doctor/check.ts';

const format = ({ verdict, subject = '', message, remedy = '' }: Check): string =>
  [`${verdict}:`, subject, message, remedy].filter((part) => part !== '').join(' ');

const RULE = { group: 'g.example', resource: 'workflows', verbs: ['get', 'watch'] };
const KIND = { kind: 'Workflow', group: 'g.example', version: 'v1alpha1', resource: 'workflows' };
const SIGN_IN = { mode: 'resource-server', issuers: [{ issuer: 'https://idp.example' }] };
const SERVED = { versions: ['v1'], resources: new Set<unknown>(), schemas: {} };

it.each<[Check | undefined, string]>([
  [
    createApiProblem({ kind: 'broken', code: 'CERT_HAS_EXPIRED' }),
    'problem: The Kubernetes API cannot be used: the connection failed (CERT_HAS_EXPIRED). Renew the certificate of the API server.',
  ],
  [
    createApiProblem({ kind: 'broken', code: 'ECONNREFUSED' }),
    'problem: The Kubernetes API cannot be used: the connection failed (ECONNREFUSED). Check the address of the cluster in the kubeconfig, the network policies and that the API server runs.',
  ],
  [
    createApiProblem({ kind: 'refused', status: 401, message: 'Unauthorized' }),
    'problem: The Kubernetes API cannot be used: it answered 401: Unauthorized. Check the user of the kubeconfig, or the service account of the pod: its token or certificate is missing, expired or of another cluster.',
  ],
  [
    checkDefinition('Workflow', KIND, SERVED)[0],
    'problem: The Kubernetes API does not serve Workflow of g.example/v1alpha1; the versions of g.example that it serves: v1. Install the CustomResourceDefinition: gateway crds workflow --api-group g.example | kubectl apply --server-side -f -',
  ],
  [
    createAccessProblem('alice', RULE),
    'problem: alice may not get, watch workflows of g.example in all namespaces. Add this rule to a ClusterRole that is bound to it: {apiGroups: ["g.example"], resources: [workflows], verbs: [get, watch]}',
  ],
  [
    createAccessProblem('alice', { ...RULE, name: 'gateway', namespace: 'a' }),
    'problem: alice may not get, watch workflows of g.example with the name gateway in namespace a. Add this rule to a Role in namespace a that is bound to it: {apiGroups: ["g.example"], resources: [workflows], resourceNames: [gateway], verbs: [get, watch]}',
  ],
  [
    createSecretProblem('a/github', 'Secret a/client does not exist'),
    'problem: a/github cannot use its client credentials: Secret a/client does not exist. Create or correct the Secret, or correct clientCredentialsSecretRef of the server.',
  ],
])('%o', (check, text) => {
  expect(check && format(check)).toBe(text);
});

it('lists at most ten missing fields of a definition that is older', () => {
  const { resource: _resource, ...named } = KIND;
  const schema = {
    'x-kubernetes-group-version-kind': [named],
    properties: { spec: {}, status: {} },
  };
  const [check] = checkDefinition('Workflow', KIND, {
    versions: ['v1alpha1'],
    resources: new Set<unknown>(['workflows']),
    schemas: { value: { components: { schemas: { schema } } } },
  });
  expect(check && format(check)).toMatch(
    /^problem: The CustomResourceDefinition of Workflow of g\.example\/v1alpha1 is older than this program: it does not have the subresource status, spec\.\S+, (?:\S+, ){7}\S+ and \d+ more\. Replace it: gateway crds workflow --api-group g\.example \| kubectl apply --server-side -f -$/u,
  );
});

type Spec = Parameters<typeof checkReportedServer>[1];
const check = (
  reported: Parameters<typeof checkReportedServer>[2],
  { autoStart = true, type = 'none' } = {},
) => {
  const remote = { type: 'streamable-http', url: 'http://a.example/mcp', autoStart };
  const spec = { ...remote, auth: { type, forwardToken: false } } as Spec;
  return checkReportedServer('a/github', spec, reported);
};
const [IDLE, OAUTH] = [{ autoStart: false }, { type: 'oauth' }];

it.each([
  [{ state: 'Connected' }, {}, []],
  [{ state: 'Disconnected' }, {}, ['server-failed']],
  [{ state: 'Disconnected' }, IDLE, []],
  [{ state: 'Failed' }, IDLE, ['server-failed']],
  [{}, {}, ['server-unreported']],
  [{}, IDLE, []],
  [{ state: 'Auth Required' }, {}, ['server-refused-sign-in']],
  [{ state: 'Auth Required' }, OAUTH, ['server-user-sign-in']],
  [{ state: 'Connected', namesTaken: 'x' }, {}, ['server-names-taken']],
])(
  'expects the servers that start automatically to be connected: %j %j',
  (reported, spec, codes) => {
    expect(check(reported, spec).map(({ code }) => code)).toEqual(codes);
  },
);

it('names the reason of a server that does not work, and the next step', () => {
  expect(check({ state: 'Failed', reason: 'It ended.' }, OAUTH).map(format)).toEqual([
    'problem: a/github is Failed: It ended. Correct its definition or the server, then: gateway servers restart github',
  ]);
  expect(check({ state: 'Auth Required' }, OAUTH).map(format)).toEqual([
    'note: a/github requires that each user signs in to it. A user without its tools signs in with core_auth_login, argument server: github',
  ]);
});

it('compares the fields of schemas', () => {
  const withSpec = (properties: object) => ({ properties: { spec: { properties } } });
  const tool = { properties: { tool: {}, id: {} } };
  const expected = withSpec({ steps: { items: tool }, any: tool });
  const older = withSpec({
    steps: { items: { properties: { id: {} } } },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  });
  expect(listMissingFields(expected, older)).toEqual(['spec.steps[].tool']);
  expect(listMissingFields(older, expected)).toEqual([]);
});

it('accepts a difference of clocks of 30 seconds', () => {
  const renewTime = '2026-01-01T00:00:00.000000Z';
  const at = Date.parse(renewTime);
  const spec = { holderIdentity: 'pod-1', leaseDurationSeconds: 12, renewTime };
  const absence = 'pod-1 has not renewed it for 43 s';
  expect(findLeader({ spec }, at + 42_000)).toEqual({ holder: 'pod-1' });
  expect(findLeader({ spec }, at + 43_000)).toEqual({ absence });
  expect(findLeader({ spec: { holderIdentity: '' } }, at)).toEqual({ absence: 'nobody holds it' });
});

it.each([
  ['none', false, []],
  ['none', true, ['workflowexecutions own']],
  ['workflows', false, ['workflows a', 'workflows b']],
  ['all', false, ['mcpservers a', 'workflows a', 'mcpservers b', 'workflows b']],
] as const)(
  'needs the permissions of writes only where core tools write %s, and those of runs where they are objects: %s',
  (writes, storesRuns, expected) => {
    const place = { apiGroup: 'g.example', namespace: 'own', namespaces: ['a', 'b'] };
    const accesses = listRequiredAccess({ ...place, lease: 'gateway', writes, storesRuns })
      .filter(({ verbs }) => verbs.includes('delete'))
      .map(({ resource, namespace }) => `${resource} ${String(namespace)}`);
    expect(accesses).toEqual(expected);
  },
);

it.each<[object, string]>([
  [{}, 'none'],
  [{ auth: SIGN_IN }, 'all'],
  [{ auth: SIGN_IN, coreTools: { writes: 'workflows' } }, 'workflows'],
])('needs the permissions of the core tools that may write with %j', (document, writes) => {
  const parsed = parseConfig(document);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  expect(toClusterOptions(parsed.config, '/etc/gateway').writes).toBe(writes);
});
