import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { AGENT_CHART, agentOf, refusalOf, toolsOf } from './agent-chart.ts';

const GOLDEN = join(import.meta.dirname, '../golden/agent/default.yaml');
const WITHOUT_SCHEMA = { args: ['--skip-schema-validation'] };

const SERVER = {
  kind: 'RemoteMCPServer',
  apiGroup: 'kagent.dev',
  name: 'gateway',
  namespace: 'agent-platform',
  allowedHeaders: ['authorization'],
};
const headers = (value: string) => [{ name: 'X-Gateway-Toolset', value }];
const GATEWAY = { type: 'McpServer', mcpServer: SERVER };
const READ_ONLY = { ...GATEWAY, headersFrom: headers('preset:read-only') };
const OTHER_AGENT = { type: 'Agent', agent: { name: 'planner' } };
const TOKEN = [{ name: 'KAGENT_PROPAGATE_TOKEN', value: 'true' }];

const tools = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `tool:t${(at + 1).toString()}`);

requirement('2.8/unset', () => {
  it('renders the gateway without a header, byte for byte as before the value existed', async () => {
    const golden = await readFile(GOLDEN, 'utf8');
    expect(golden).not.toContain('headersFrom');
    expect((await agentOf({})).text).toBe(golden);
    expect(await toolsOf({})).toEqual([GATEWAY]);
  });
});

/** The spec of agents before the value existed; a recorded text that is never regenerated. */
const BEFORE = {
  type: 'Declarative',
  declarative: {
    runtime: 'go',
    modelConfig: 'default-model-config',
    systemMessage: 'You are a helpful agent.',
    tools: [GATEWAY],
    deployment: {
      replicas: 1,
      env: TOKEN,
      resources: {
        requests: { cpu: '100m', memory: '256Mi' },
        limits: { cpu: '1', memory: '512Mi' },
      },
    },
  },
};

requirement('9.4/unset-identical', () => {
  it('is the spec of the releases before', async () =>
    expect((await agentOf({})).agent.spec).toEqual(BEFORE));

  it('treats null as unset', async () => {
    expect((await agentOf({ toolset: null })).text).toBe(await readFile(GOLDEN, 'utf8'));
  });
});

/** The value of the header of the gateway for a toolset. */
const headerOf = async (toolset: readonly string[]): Promise<string | undefined> => {
  const [entry] = (await toolsOf({ toolset })) ?? [];
  expect(entry).toEqual({ ...GATEWAY, headersFrom: headers(toolset.join()) });
  return entry?.headersFrom?.[0]?.value;
};

requirement('2.8/selectors', () => {
  it('adds one header with the selectors of every kind joined by a comma, in order and with duplicates', async () => {
    expect(await headerOf(['preset:read-only', 'workflow:incident-triage'])).toBe(
      'preset:read-only,workflow:incident-triage',
    );
    const names = ['tool:x_mcp-kubernetes_get_pods', 'tool:core_service_list'];
    expect(await headerOf(['preset:full', 'server:mcp-kubernetes', ...names])).toBe(
      'preset:full,server:mcp-kubernetes,tool:x_mcp-kubernetes_get_pods,tool:core_service_list',
    );
    expect(await headerOf(['server:a', 'server:a'])).toBe('server:a,server:a');
  });
});

requirement('2.8/sibling', () => {
  it('has the header next to the server reference, not inside it', async () => {
    const { agent, text } = await agentOf({ toolset: ['preset:read-only'] });
    expect(agent.spec.declarative.tools).toEqual([READ_ONLY]);
    expect(text).toContain(`
    tools:
      - type: McpServer
        headersFrom:
          - name: X-Gateway-Toolset
            value: preset:read-only
        mcpServer:
          kind: RemoteMCPServer
`);
  });
});

requirement('2.8/tool-names', () => {
  it('has the names of meta-tools at the server; additional tools have no header', async () => {
    const { agent } = await agentOf({
      toolset: ['preset:read-only'],
      muster: { toolNames: ['list_tools', 'call_tool'] },
      extraTools: [OTHER_AGENT],
    });
    expect(agent.spec.declarative.tools).toEqual([
      { ...READ_ONLY, mcpServer: { ...SERVER, toolNames: ['list_tools', 'call_tool'] } },
      OTHER_AGENT,
    ]);
    expect(agent.spec.declarative.deployment['env']).toEqual(TOKEN);
  });

  it('does not convert them to a toolset', async () =>
    expect(await toolsOf({ muster: { toolNames: ['call_tool'] } })).toEqual([
      { ...GATEWAY, mcpServer: { ...SERVER, toolNames: ['call_tool'] } },
    ]));
});

requirement('2.8/none', () => {
  it('omits the gateway and the key tools; the token stays', async () => {
    const { agent } = await agentOf({ toolset: ['preset:none'] });
    expect(Object.keys(agent.spec.declarative)).not.toContain('tools');
    expect(agent.spec.declarative.deployment['env']).toEqual(TOKEN);
  });

  it('has only the additional tools', async () =>
    expect(await toolsOf({ toolset: ['preset:none'], extraTools: [OTHER_AGENT] })).toEqual([
      OTHER_AGENT,
    ]));

  it('is an ordinary preset next to another selector, even itself', async () => {
    expect(await headerOf(['preset:none', 'tool:x'])).toBe('preset:none,tool:x');
    expect(await headerOf(['preset:none', 'preset:none'])).toBe('preset:none,preset:none');
  });
});

describe('an agent without the gateway', () => {
  it('has no gateway, header or token', async () => {
    const { agent } = await agentOf({
      muster: { enabled: false, stsWellKnownUri: 'https://sts.example/known' },
      toolset: ['preset:read-only'],
    });
    expect(Object.keys(agent.spec.declarative)).not.toContain('tools');
    expect(Object.keys(agent.spec.declarative.deployment)).not.toContain('env');
  });

  it('refuses a wrong toolset in this case too', async () =>
    expect(await refusalOf({ muster: { enabled: false }, toolset: ['toolset:foo'] })).toBe(
      'toolset selector "toolset:foo": toolset:<name> is reserved for shared toolsets',
    ));
});

requirement('2.8/value', () => {
  it('refuses a text instead of a list', async () => {
    expect(await refusalOf({ toolset: 'preset:read-only' })).toEqual([
      '- toolset: Invalid type. Expected: [array,null], given: string',
    ]);
    expect(await refusalOf({ muster: { toolset: ['preset:read-only'] } })).toEqual([
      '- muster: Additional property toolset is not allowed',
    ]);
  });
});

requirement('2.8/schema', () => {
  it('is an array of texts or null', async () => {
    const schema = JSON.parse(await readFile(join(AGENT_CHART, 'values.schema.json'), 'utf8')) as {
      readonly properties: { readonly toolset: Readonly<Record<string, unknown>> };
    };
    const { type, items, minItems, maxItems } = schema.properties.toolset;
    expect({ type, items, minItems, maxItems }).toEqual({
      type: ['array', 'null'],
      items: { type: 'string' },
    });
    expect(await refusalOf({ toolset: ['tool:a', 1, null, true] })).toEqual([
      '- toolset.1: Invalid type. Expected: string, given: integer',
      '- toolset.2: Invalid type. Expected: string, given: null',
      '- toolset.3: Invalid type. Expected: string, given: boolean',
    ]);
  });
});

const EMPTY =
  'toolset is empty: an agent without tools declares toolset: ["preset:none"]; leave toolset unset for implicit full access to everything the gateway exposes';
const TOO_MANY =
  'toolset has 33 selectors, above the inline cap of 32: define a preset (gateway toolsetPresets) and select it with preset:<name>';
const invalid = (selector: string): string =>
  `toolset selector "${selector}" is invalid: expected preset:<name>, server:<name>, workflow:<name> or tool:<name> (exact name, no whitespace or commas)`;

requirement('2.8/empty', () => {
  it('points at preset:none', async () => expect(await refusalOf({ toolset: [] })).toBe(EMPTY));
});

requirement('2.8/too-many', () => {
  it('requires a preset', async () =>
    expect(await refusalOf({ toolset: tools(33) })).toBe(TOO_MANY));
});

requirement('8/inline-selectors-chart', () => {
  it('takes 32', async () =>
    expect(await headerOf(tools(32))).toMatch(/^tool:t1,(tool:t\d+,){30}tool:t32$/u));
});

const RESERVED = 'toolset:<name> is reserved for shared toolsets';

requirement('2.8/refused-selector', () => {
  it.each<readonly [string, string]>([
    ['toolset:foo', `toolset selector "toolset:foo": ${RESERVED}`],
    [
      'label:team=platform',
      'toolset selector "label:team=platform": label: selectors are allowed inside presets only',
    ],
    ...['read-only', 'preset:read only', 'tool:a,tool:b', 'preset:'].map(
      (selector) => [selector, invalid(selector)] as const,
    ),
  ])('refuses %s by name, after selectors that are fine', async (selector, text) =>
    expect(await refusalOf({ toolset: ['preset:full', selector, 'also wrong'] })).toBe(text),
  );
});

requirement('2.8/template-checks', () => {
  it.each([
    ['preset:full', 'toolset must be a list of selector strings, got string'],
    [{ preset: 'full' }, 'toolset must be a list of selector strings, got map'],
    [['tool:a', 17, 'bad'], 'toolset selector 17 must be a string'],
  ])('validates without the schema too, starting with the type: %j', async (toolset, text) => {
    expect(await refusalOf({ toolset }, WITHOUT_SCHEMA)).toBe(text);
  });
});
