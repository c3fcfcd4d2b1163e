import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';

/** Returns the refusal after its path, without the prefix of Helm. */
const refusalOf = async (values: unknown, release: string): Promise<string> => {
  const rendered = await render('standalone', values, { release });
  if (rendered.ok) return '';
  const [, text = rendered.error] =
    /^Error: execution error at \(.*?\): (.*)$/mu.exec(rendered.error) ?? [];
  return text;
};

const presets = (toolsetPresets: object) => ({ muster: { muster: { toolsetPresets } } });

const SIGNED_IN = { oauth: { enabled: true } };
const hosts = (...plainHttpTokenHosts: string[]) => ({
  muster: { muster: { servers: { plainHttpTokenHosts } } },
});

type Refusal = readonly [title: string, values: object, text: string, release: string];

const REFUSALS: readonly Refusal[] = [
  [
    'a preset with the name of a built-in one',
    presets({ none: { include: [{ server: 'github' }] } }),
    'muster.muster.toolsetPresets redefines none, which is built into the gateway and cannot be redefined by configuration (the gateway pod would refuse to start, naming it); rename the preset',
    'demo',
  ],
  [
    'a preset that still selects by the default label domain, with what to set',
    {
      global: { labelDomain: 'example.org' },
      ...presets({ 'agent-platform': { include: [{ pattern: 'core_*' }] } }),
    },
    'labelDomain is example.org, but presets still select by gateway.internal/tool-group, a label that no server has; set muster.muster.toolsetPresets.infrastructure.include to [{"label":"example.org/tool-group=infrastructure"}]',
    'demo',
  ],
  [
    'a server that two parts register',
    {
      'mcp-kubernetes': { mcpServer: { managementCluster: 'alpha' } },
      'agent-platform-mcps': {
        mcpServers: [{ cluster: 'alpha', group: 'kubernetes', url: 'http://alpha/mcp' }],
      },
    },
    'mcp-kubernetes and agent-platform-mcps would both register the MCPServer "alpha-mcp-kubernetes"; rename or remove one',
    'demo',
  ],
  [
    'a release whose name holds the names of two parts',
    {},
    'muster and agent-manager would both name their objects "my-gateway-agent-manager" in the release "my-gateway-agent-manager"; set agent-manager.fullnameOverride',
    'my-gateway-agent-manager',
  ],
  [
    'a portal that would not find the gateway under its name',
    { components: { portal: { enabled: true } }, muster: { fullnameOverride: 'tools' } },
    'portal would call the Service "demo-gateway", and the Service of the gateway is "tools"; set portal.muster.url',
    'demo',
  ],
  [
    'a name of agent-manager that the hosts for tokens do not have',
    { 'agent-manager': { ...SIGNED_IN, fullnameOverride: 'agents' } },
    'agent-manager registers http://agents.demo-ns.svc.cluster.local:8080/mcp, and the gateway would send no tokens to "agents.demo-ns.svc.cluster.local" over plain HTTP; name the host in muster.muster.servers.plainHttpTokenHosts',
    'demo',
  ],
  [
    'another part of that name',
    { 'agent-manager': { ...SIGNED_IN, nameOverride: 'agents' } },
    'agent-manager registers http://demo-agents.demo-ns.svc.cluster.local:8080/mcp, and the gateway would send no tokens to "demo-agents.demo-ns.svc.cluster.local" over plain HTTP; name the host in muster.muster.servers.plainHttpTokenHosts',
    'demo',
  ],
  [
    'a domain of the cluster that only agent-manager has',
    { 'agent-manager': { ...SIGNED_IN, clusterDomain: 'corp.local' } },
    'agent-manager registers http://demo-agent-manager.demo-ns.svc.corp.local:8080/mcp, and the gateway would send no tokens to "demo-agent-manager.demo-ns.svc.corp.local" over plain HTTP; name the host in muster.muster.servers.plainHttpTokenHosts',
    'demo',
  ],
  [
    'a name of the Service of model-manager that the hosts for tokens do not have',
    {
      components: { 'model-manager': { enabled: true } },
      'model-manager': { ...SIGNED_IN, service: { name: 'models' } },
    },
    'model-manager registers http://models.demo-ns.svc.cluster.local:8080/mcp, and the gateway would send no tokens to "models.demo-ns.svc.cluster.local" over plain HTTP; name the host in muster.muster.servers.plainHttpTokenHosts',
    'demo',
  ],
  [
    'a portal without a gateway',
    { components: { portal: { enabled: true }, muster: { enabled: false } } },
    'components.portal is enabled without the gateway, which it calls: set portal.muster.url',
    'demo',
  ],
];

type AcceptedName = readonly [
  title: string,
  values: object,
  release: string,
  host: string | undefined,
];

const ACCEPTED: readonly AcceptedName[] = [
  ['the default name', {}, 'demo', undefined],
  ['the default name of a release with the name of the part', {}, 'agent-manager', undefined],
  [
    'another name that the hosts have',
    { fullnameOverride: 'agents' },
    'demo',
    'agents.demo-ns.svc.cluster.local',
  ],
  [
    'another name that a pattern has',
    { fullnameOverride: 'agents' },
    'demo',
    '*.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}',
  ],
  [
    'another name that a pattern with a range has',
    { fullnameOverride: 'agents' },
    'demo',
    'agent[r-t].*',
  ],
  [
    'an https:// URL',
    { muster: { mcpServer: { url: 'https://agents.example.com/mcp' } } },
    'demo',
    undefined,
  ],
  [
    'an address of this machine',
    { muster: { mcpServer: { url: 'http://127.0.0.1:8080/mcp' } } },
    'demo',
    undefined,
  ],
  ['no sign-in', { fullnameOverride: 'agents', oauth: { enabled: false } }, 'demo', undefined],
];

describe('refusals of the standalone chart', () => {
  it.each(REFUSALS)('%s', async (_title, values, text, release) => {
    expect(await refusalOf(values, release)).toBe(text);
  });

  it.each(ACCEPTED)(
    'no name of agent-manager for tokens: %s',
    async (_title, values, release, host) => {
      const part = { 'agent-manager': { ...SIGNED_IN, ...values } };
      const given = host === undefined ? part : { ...part, ...hosts(host) };
      expect(await refusalOf(given, release)).toBe('');
    },
  );

  it('no name of agent-manager where tokens go to no host over plain HTTP', async () => {
    const values = { 'agent-manager': { ...SIGNED_IN, fullnameOverride: 'agents' }, ...hosts() };
    expect(await refusalOf(values, 'demo')).toBe('');
  });

  it('unknown values of a part, with the schema of that part', async () => {
    const rendered = await render('standalone', {
      muster: { muster: { http: { maxBodyByte: 1 } }, replica: 2 },
      'agent-manager': { muster: { mcpServer: { enable: true } } },
      'agent-platform-mcps': {
        mcpServers: [{ cluster: 'a', group: 'b', url: 'c', toolgroup: 'd' }],
      },
      'model-manager': { servce: {} },
      'mcp-kubernetes': { mcpServer: { managementcluster: 'alpha' }, args: 'serve' },
      components: {
        muster: { enabled: 'yes' },
        'model-manager': { enabled: true },
        kagent: { enabled: true },
      },
      labelDomain: 'example.org',
    });
    const lines = rendered.ok ? [] : rendered.error.split('\n').filter((line) => /^- /u.test(line));
    expect(lines.toSorted()).toEqual([
      '- (root): Additional property labelDomain is not allowed',
      '- (root): Additional property replica is not allowed',
      '- (root): Additional property servce is not allowed',
      '- args: Invalid type. Expected: array, given: string',
      '- components.muster.enabled: Invalid type. Expected: boolean, given: string',
      '- components: Additional property kagent is not allowed',
      '- mcpServer: Additional property managementcluster is not allowed',
      '- mcpServers.0: Additional property toolgroup is not allowed',
      '- muster.http: Additional property maxBodyByte is not allowed',
      '- muster.mcpServer: Additional property enable is not allowed',
    ]);
  });
});
