import type { Requirements } from '@gateway/repo-checks';

/** Requirements of the specification that the charts own. A test proves each id. */
export const requirements = {
  '1.6/agent-chart':
    'A generic agent chart renders an agent resource and can put a toolset on the gateway’s tool entry.',
  '2.8/value': 'toolset is a top-level value: a list of selector strings.',
  '2.8/schema': 'The schema type of toolset is array-or-null of strings.',
  '2.8/template-checks': 'The cap and the empty-list rule are template checks.',
  '2.8/unset':
    'Unset: no header, a render identical to that before toolsets existed, implicit full access.',
  '2.8/selectors':
    'One or more selectors: the gateway tool entry gains headersFrom with one item, name X-Gateway-Toolset, value the selectors joined by a comma.',
  '2.8/sibling': 'headersFrom is a sibling of the entry’s mcpServer reference.',
  '2.8/none':
    'Exactly ["preset:none"]: no gateway tool entry, and no tools key when extraTools is empty.',
  '2.8/empty': '[] fails to render, pointing at preset:none.',
  '2.8/too-many': 'More than 32 selectors fail to render: define a preset.',
  '2.8/refused-selector':
    'toolset:<name>, label:<key>=<value> or a malformed selector fails to render, naming the selector.',
  '2.8/tool-names':
    'muster.toolNames applies only to the gateway’s meta-tools in the agent runtime and never narrows the tools behind the gateway.',
  '7.4/empty': 'The chart refuses an empty list.',
  '7.4/too-many': 'The chart refuses more than 32 selectors.',
  '7.4/refused-selector': 'The chart refuses a reserved, label or malformed selector.',
  '8/inline-selectors-chart': 'At most 32 inline selectors in the chart value.',
  '9.2/agent-chart-0.6.0': 'The generic agent chart 0.6.0 brings the toolset value.',
  '9.4/unset-identical':
    'An unset toolset in the agent chart renders identically to releases before toolsets existed.',
  '2.2/gateway-chart-path':
    'toolsetPresets is the value muster.toolsetPresets on the gateway chart.',
  '2.2/forwarding-chart-path':
    'toolsetPresets is muster.muster.toolsetPresets on the fleet meta-package and the standalone chart, which forward their muster block.',
  '2.3/platform-presets-shipped':
    'The fleet meta-package (3.11.0 and later) ships the platform presets under muster.muster.toolsetPresets.',
  '2.3/platform-label':
    'Platform presets select by the label {label_domain}/tool-group, which every platform-shipped MCPServer carries.',
  '2.3/infrastructure':
    'infrastructure is the label tool-group=infrastructure: the cluster-management, cluster-lifecycle and metrics families.',
  '2.3/agent-platform':
    'agent-platform is the label tool-group=agent-platform plus the pattern core_*: agent-manager, model-manager and the core tools.',
  '2.3/stamping-standalone':
    'The standalone chart stamps infrastructure on its bundled cluster-management server from 0.36.0.',
  '2.3/standalone-presets':
    'Standalone 0.37.0 runs gateway 5.12.0; the platform presets follow later and can be added to its values under the same key.',
  '9.2/fleet-3.11.0':
    'The fleet meta-package 3.11.0 brings infrastructure and agent-platform; the gateway is floored at 5.12.0.',
  '9.2/standalone-0.36.0': 'Standalone 0.36.0 labels its bundled cluster-management server.',
  '9.2/standalone-0.37.0': 'Standalone 0.37.0 runs gateway 5.12.0, without platform presets.',
  '2.3/stamping-bundle':
    'The MCP bundle (0.9.0 and later) stamps infrastructure by muster.families.<group>.toolGroup, default infrastructure.',
  '2.3/stamping-entry': 'mcpServers[].toolGroup overrides the stamp per entry.',
  '2.3/stamping-agent-platform':
    'agent-manager (0.3.0 and later) and model-manager (0.18.0 and later) stamp agent-platform.',
  '2.3/stamping-override': 'muster.mcpServer.labels can override the stamped label.',
  '9.2/bundle-0.9.0': 'The platform MCP bundle 0.9.0 labels the infrastructure families.',
  '9.2/model-manager-0.18.0': 'model-manager 0.18.0 labels its MCPServer.',
  '9.2/agent-manager-label-0.3.0': 'agent-manager 0.3.0 labels its MCPServer.',
} as const satisfies Requirements;

const TOOLSET = ['packages/charts/agent/templates/_toolset.tpl'] as const;
const TOOLSET_VALUE = ['packages/charts/values/agent.ts'] as const;
const GATEWAY_PRESETS = ['packages/charts/gateway/templates/_configuration.tpl'] as const;
const PLATFORM = ['packages/charts/agent-platform/values.yaml'] as const;
const STANDALONE = ['packages/charts/standalone/values.yaml'] as const;
const BUNDLE = ['packages/charts/agent-platform-mcps/templates/_mcpserver.tpl'] as const;
const REGISTRATION = ['packages/charts/library/templates/_registration.tpl'] as const;
const MODEL_MANAGER = ['packages/charts/model-manager/templates/mcpserver.yaml'] as const;
const AGENT_MANAGER = ['packages/charts/agent-manager/templates/mcpserver.yaml'] as const;

/** The templates and values of each requirement: tests render them, so that no import leads there. */
export const sources: Readonly<Record<keyof typeof requirements, readonly string[]>> = {
  '1.6/agent-chart': ['packages/charts/agent/templates/agent.yaml', ...TOOLSET],
  '2.8/value': TOOLSET_VALUE,
  '2.8/schema': TOOLSET_VALUE,
  '2.8/template-checks': TOOLSET,
  '2.8/unset': TOOLSET,
  '2.8/selectors': TOOLSET,
  '2.8/sibling': TOOLSET,
  '2.8/none': TOOLSET,
  '2.8/empty': TOOLSET,
  '2.8/too-many': TOOLSET,
  '2.8/refused-selector': TOOLSET,
  '2.8/tool-names': TOOLSET,
  '7.4/empty': TOOLSET,
  '7.4/too-many': TOOLSET,
  '7.4/refused-selector': TOOLSET,
  '8/inline-selectors-chart': TOOLSET,
  '9.2/agent-chart-0.6.0': ['packages/charts/agent/Chart.yaml'],
  '9.4/unset-identical': TOOLSET,
  '2.2/gateway-chart-path': GATEWAY_PRESETS,
  '2.2/forwarding-chart-path': [...PLATFORM, ...STANDALONE],
  '2.3/platform-presets-shipped': PLATFORM,
  '2.3/platform-label': ['packages/charts/library/templates/_label-domain.tpl', ...PLATFORM],
  '2.3/infrastructure': PLATFORM,
  '2.3/agent-platform': PLATFORM,
  '2.3/stamping-standalone': STANDALONE,
  '2.3/standalone-presets': STANDALONE,
  '9.2/fleet-3.11.0': ['packages/charts/agent-platform/Chart.yaml', ...PLATFORM],
  '9.2/standalone-0.36.0': STANDALONE,
  '9.2/standalone-0.37.0': ['packages/charts/standalone/Chart.yaml'],
  '2.3/stamping-bundle': BUNDLE,
  '2.3/stamping-entry': BUNDLE,
  '2.3/stamping-agent-platform': [...REGISTRATION, ...AGENT_MANAGER, ...MODEL_MANAGER],
  '2.3/stamping-override': REGISTRATION,
  '9.2/bundle-0.9.0': BUNDLE,
  '9.2/model-manager-0.18.0': MODEL_MANAGER,
  '9.2/agent-manager-label-0.3.0': AGENT_MANAGER,
};
