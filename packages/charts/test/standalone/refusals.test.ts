import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import { schemaRefusals } from '../harness/schema-refusals.ts';
import { rowsOf, type TextTable } from '../harness/template-texts.ts';

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

const accepted = (agentManager: object, host?: string) => ({
  'agent-manager': { ...SIGNED_IN, ...agentManager },
  ...(host !== undefined && hosts(host)),
});
const noTokens = (part: string, host: string): string =>
  `${part} registers http://${host}:8080/mcp, and the gateway would send no tokens to "${host}" over plain HTTP; name the host in muster.muster.servers.plainHttpTokenHosts`;
const AGENTS = { fullnameOverride: 'agents' };

const CASES: TextTable = {
  'muster.muster.toolsetPresets redefines none, which is built into the gateway and cannot be redefined by configuration (the gateway pod would refuse to start, naming it); rename the preset':
    presets({ none: { include: [{ server: 'github' }] } }),
  'labelDomain is example.org, but presets still select by gateway.internal/tool-group, a label that no server has; set muster.muster.toolsetPresets.infrastructure.include to [{"label":"example.org/tool-group=infrastructure"}]':
    {
      global: { labelDomain: 'example.org' },
      ...presets({ 'agent-platform': { include: [{ pattern: 'core_*' }] } }),
    },
  'mcp-kubernetes and agent-platform-mcps would both register the MCPServer "alpha-mcp-kubernetes"; rename or remove one':
    {
      'mcp-kubernetes': { mcpServer: { managementCluster: 'alpha' } },
      'agent-platform-mcps': {
        mcpServers: [{ cluster: 'alpha', group: 'kubernetes', url: 'http://alpha/mcp' }],
      },
    },
  'portal would call the Service "demo-gateway", and the Service of the gateway is "tools"; set portal.muster.url':
    { components: { portal: { enabled: true } }, muster: { fullnameOverride: 'tools' } },
  'components.portal is enabled without the gateway, which it calls: set portal.muster.url': {
    components: { portal: { enabled: true }, muster: { enabled: false } },
  },
  [noTokens('agent-manager', 'agents.demo-ns.svc.cluster.local')]: accepted(AGENTS),
  [noTokens('agent-manager', 'demo-agents.demo-ns.svc.cluster.local')]: accepted({
    nameOverride: 'agents',
  }),
  [noTokens('agent-manager', 'demo-agent-manager.demo-ns.svc.corp.local')]: accepted({
    clusterDomain: 'corp.local',
  }),
  [noTokens('model-manager', 'models.demo-ns.svc.cluster.local')]: {
    components: { 'model-manager': { enabled: true } },
    'model-manager': { ...SIGNED_IN, service: { name: 'models' } },
  },
  '': [
    accepted({}),
    accepted(AGENTS, 'agents.demo-ns.svc.cluster.local'),
    accepted(AGENTS, '*.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}'),
    accepted(AGENTS, 'agent[r-t].*'),
    accepted({ muster: { mcpServer: { url: 'https://agents.example.com/mcp' } } }),
    accepted({ muster: { mcpServer: { url: 'http://127.0.0.1:8080/mcp' } } }),
    accepted({ ...AGENTS, oauth: { enabled: false } }),
    // Tokens go to no host over plain HTTP.
    { ...accepted(AGENTS), ...hosts() },
  ],
};

describe('the standalone chart refuses', () => {
  it.each(rowsOf(CASES))('$values as stated', async ({ values, text }) => {
    expect(await refusalOf(values, 'demo')).toBe(text);
  });

  it('a release whose name holds the names of two parts', async () => {
    expect(await refusalOf({}, 'my-gateway-agent-manager')).toBe(
      'muster and agent-manager would both name their objects "my-gateway-agent-manager" in the release "my-gateway-agent-manager"; set agent-manager.fullnameOverride',
    );
    expect(await refusalOf(accepted({}), 'agent-manager')).toBe('');
  });

  it('unknown values of a part, with the schema of that part', async () => {
    const refusals = await schemaRefusals('standalone', {
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
    expect(refusals).toEqual([
      '(root): Additional property labelDomain is not allowed',
      '(root): Additional property replica is not allowed',
      '(root): Additional property servce is not allowed',
      'args: Invalid type. Expected: array, given: string',
      'components.muster.enabled: Invalid type. Expected: boolean, given: string',
      'components: Additional property kagent is not allowed',
      'mcpServer: Additional property managementcluster is not allowed',
      'mcpServers.0: Additional property toolgroup is not allowed',
      'muster.http: Additional property maxBodyByte is not allowed',
      'muster.mcpServer: Additional property enable is not allowed',
    ]);
  });
});
