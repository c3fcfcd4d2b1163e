import { describe, expect, it } from 'vitest';
import { schemaRefusals } from '../harness/schema-refusals.ts';
import { expectTexts, type TextTable } from '../harness/template-texts.ts';

const stdio = { spec: { type: 'stdio', command: 'a' } };
/** What more than one replica requires. */
const SHARED = {
  muster: { state: { store: 'redis', url: 'redis://state' } },
  stateSecret: { existingSecret: 'state' },
};
const long = 'x'.repeat(600_000);

const CASES: TextTable = {
  'muster.toolsetPresets: preset "p" include[0] must set exactly one of tool, pattern, server, workflow, readOnly, preset, label':
    { muster: { toolsetPresets: { p: { include: [{}] } }, apiGroup: 'a.example' } },
  'muster.apiGroup is "a.example", but apiGroup is "gateway.internal": omit muster.apiGroup out, and set apiGroup (or global.apiGroup of a parent chart)':
    { muster: { apiGroup: 'a.example' } },
  'muster.labelDomain is "b.example", but labelDomain is "c.example": omit muster.labelDomain out, and set labelDomain (or global.labelDomain of a parent chart)':
    {
      labelDomain: 'b.example',
      global: { labelDomain: 'c.example' },
      muster: { labelDomain: 'b.example' },
    },
  'muster.http.port is 0, but probes and Service need a port that they know: leave it out': {
    muster: { http: { port: 0 } },
  },
  'muster.stateDirectory is "state", inside the read-only configuration: set an absolute path, such as /var/lib/gateway/state':
    { muster: { stateDirectory: 'state' } },
  'muster.workflows.executionsDirectory is "../runs", inside the read-only configuration: set an absolute path, such as /var/lib/gateway/executions':
    { muster: { workflows: { executionsDirectory: '../runs' } } },
  'muster.state.store is redis, but muster.state.url is not set': {
    muster: { state: { store: 'redis' } },
  },
  'muster.state.store is redis, but there is no key that encrypts the state: name its Secret in stateSecret.existingSecret':
    { muster: { state: { store: 'redis', url: 'redis://state' } } },
  'muster.state.url must begin with redis:// or rediss://': {
    muster: { state: { store: 'redis', url: 'http://state' } },
  },
  'muster.state.url must not contain a password: use stateSecret': {
    muster: { state: { store: 'redis', url: 'rediss://a:b@state' } },
  },
  'replicas is 2, and persistence.enabled stores the state of one replica: disable one of them': {
    replicas: 2,
    ...SHARED,
    persistence: { enabled: true },
  },
  'valkey.enabled sets muster.state.store and muster.state.url: omit them, or disable valkey': {
    valkey: { enabled: true },
    muster: { state: { url: 'redis://a' } },
    stateSecret: { existingSecret: 'state' },
  },
  'valkey.enabled needs the keys state-key and password of a Secret: name it in stateSecret.existingSecret':
    { valkey: { enabled: true } },
  'terminationGracePeriodSeconds is 30, but the gateway requires 35 to end its requests: preStopSeconds, muster.http.drainDelaySeconds, muster.http.drainSeconds and 2 more':
    { preStopSeconds: 25 },
  'terminationGracePeriodSeconds is 72, but the gateway requires 73 to end its requests: preStopSeconds, muster.http.drainDelaySeconds, muster.http.drainSeconds and 2 more':
    {
      terminationGracePeriodSeconds: 72,
      muster: { http: { drainDelaySeconds: 6, drainSeconds: 60 } },
    },
  'mcpserversFrom[0] must name exactly one of secret and configMap': {
    mcpserversFrom: [{ names: ['a'] }],
  },
  'workflowsFrom[0] must name exactly one of secret and configMap': {
    workflowsFrom: [{ secret: 'a', configMap: 'b', names: ['a'] }],
  },
  'mcpserversFrom[0] names "a", which has a definition already: one file has one source': {
    mcpservers: { a: stdio },
    mcpserversFrom: [{ secret: 's', names: ['b', 'a'] }],
  },
  'workflowsFrom[1] names "a", which has a definition already: one file has one source': {
    workflowsFrom: [
      { secret: 's', names: ['a'] },
      { configMap: 's', names: ['a'] },
    ],
  },
  'mcpservers are 1200260 bytes, and a ConfigMap holds at most 1048576: move some into your own ConfigMaps, and list them in mcpserversFrom':
    {
      mcpservers: {
        a: { spec: { ...stdio.spec, command: long } },
        b: { spec: { ...stdio.spec, command: long } },
      },
    },
  'ingress.enabled needs ingress.hosts: name the hosts that the gateway is served at': {
    ingress: { enabled: true },
  },
  ...Object.fromEntries(
    ['localhost', '127.0.0.1', '127.1.2.3', '::1'].map((host) => [
      `muster.http.host is "${host}", which is not reachable from outside the pod: omit it`,
      { muster: { http: { host } } },
    ]),
  ),
  'replicas is 2, and replicas share sign-ins and sessions only in a server: set muster.state.store to redis, and muster.state.url, or valkey.enabled':
    { replicas: 2 },
  'autoscaling.maxReplicas is 2, and replicas share sign-ins and sessions only in a server: set muster.state.store to redis, and muster.state.url, or valkey.enabled':
    { autoscaling: { enabled: true, maxReplicas: 2 } },
  '': [
    {},
    { apiGroup: 'a.example', muster: { apiGroup: 'a.example' } },
    { muster: { http: { host: '::', port: 1 } } },
    { muster: { stateDirectory: '/tmp/state', workflows: { executionsDirectory: '/tmp/runs' } } },
    {
      muster: { state: { store: 'redis', url: 'redis://state' } },
      stateSecret: { existingSecret: 'state' },
    },
    {
      muster: { state: { store: 'redis', url: 'redis://state' } },
      extraEnv: [{ name: 'GATEWAY_STATE_KEY', value: 'x' }],
    },
    { replicas: 2, ...SHARED },
    { replicas: 2, valkey: { enabled: true }, stateSecret: { existingSecret: 'state' } },
    { replicas: 0 },
    { replicas: 1, persistence: { enabled: true } },
    { autoscaling: { enabled: true, maxReplicas: 3 }, replicas: 1, ...SHARED },
    { preStopSeconds: 20 },
    { mcpservers: { a: stdio }, workflowsFrom: [{ secret: 's', names: ['a'] }] },
  ],
};

describe('the gateway chart', () => {
  it('refuses values that cannot work, naming the value', async () => {
    await expectTexts('gateway', '{{ include "gateway.problem" . }}', CASES);
  });

  it('knows every key, at every level', async () => {
    const values = {
      replica: 1,
      image: { tags: '1' },
      probes: { liveness: { period: 1 } },
      persistence: { enable: true },
      muster: {
        htp: {},
        http: { prt: 1, port: 0 },
        workflows: { maxDepth: 65 },
        toolsetPresets: {
          p: { includes: [], include: [{ tol: 'x' }], exclude: [{ preset: 'none' }] },
          q: { include: [{ readOnly: false }, { label: '=' }, {}, { tool: 'x', server: 'y' }] },
        },
      },
      mcpservers: {
        A: stdio,
        b: { spec: { type: 'stdo', comand: 'x' }, label: {} },
        c: { labels: { '-': 'a', b: 'c d' }, spec: { type: 'stdio', env: { a: 1 } } },
      },
      workflows: { w: { spec: { steps: [{ id: 'x', tol: 'y' }] } } },
      mcpserversFrom: [{ secret: 'a', names: [] }],
    };
    expect(await schemaRefusals('gateway', values)).toMatchInlineSnapshot(`
      [
        "(root): Additional property replica is not allowed",
        "image: Additional property tags is not allowed",
        "mcpservers.b.spec.type: mcpservers.b.spec.type must be one of the following: "stdio", "streamable-http", "sse"",
        "mcpservers.b.spec: Additional property comand is not allowed",
        "mcpservers.b: Additional property label is not allowed",
        "mcpservers.c.labels.b: Does not match pattern '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$'",
        "mcpservers.c.labels: Does not match pattern '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$'",
        "mcpservers.c.labels: Property name of "-" does not match",
        "mcpservers.c.spec.env.a: Invalid type. Expected: string, given: integer",
        "mcpservers: Does not match pattern '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'",
        "mcpservers: Property name of "A" does not match",
        "mcpserversFrom.0.names: Array must have at least 1 items",
        "muster.http.port: Must be greater than or equal to 1",
        "muster.http: Additional property prt is not allowed",
        "muster.toolsetPresets.p.exclude.0: Additional property preset is not allowed",
        "muster.toolsetPresets.p.include.0: Additional property tol is not allowed",
        "muster.toolsetPresets.p: Additional property includes is not allowed",
        "muster.toolsetPresets.q.include.0.readOnly: muster.toolsetPresets.q.include.0.readOnly does not match: true",
        "muster.toolsetPresets.q.include.1.label: Does not match pattern '^([A-Za-z0-9][A-Za-z0-9._/-]*)(?:=([A-Za-z0-9._-]*))?$'",
        "muster.toolsetPresets.q.include.2: Must have at least 1 properties",
        "muster.toolsetPresets.q.include.3: Must have at most 1 properties",
        "muster.workflows.maxDepth: Must be less than or equal to 64",
        "muster: Additional property htp is not allowed",
        "persistence: Additional property enable is not allowed",
        "probes.liveness: Additional property period is not allowed",
        "workflows.w.spec.steps.0: Additional property tol is not allowed",
      ]
    `);
  });

  it('has no nullable value and no value of another type', async () => {
    const args = ['--set', 'expose=null,mcpservers=null', '--set-string', 'replicas=2'];
    expect(await schemaRefusals('gateway', { muster: [] }, args)).toEqual([
      '(root): expose is required',
      '(root): mcpservers is required',
      'muster: Invalid type. Expected: object, given: array',
      'replicas: Invalid type. Expected: integer, given: string',
    ]);
  });
});
