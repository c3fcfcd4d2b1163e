import { openFor } from '../open-requirement.ts';

/** What the Helm charts render and ship. */
export const chartRequirements = openFor('charts', {
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
  '2.3/stamping-bundle':
    'The MCP bundle (0.9.0 and later) stamps infrastructure by muster.families.<group>.toolGroup, default infrastructure.',
  '2.3/stamping-entry': 'mcpServers[].toolGroup overrides the stamp per entry.',
  '2.3/stamping-standalone':
    'The standalone chart stamps infrastructure on its bundled cluster-management server from 0.36.0.',
  '2.3/stamping-agent-platform':
    'agent-manager (0.3.0 and later) and model-manager (0.18.0 and later) stamp agent-platform.',
  '2.3/stamping-override': 'muster.mcpServer.labels can override the stamped label.',
  '2.3/standalone-presets':
    'Standalone 0.37.0 runs gateway 5.12.0; the platform presets follow later and can be added to its values under the same key.',

  '9.2/fleet-3.11.0':
    'The fleet meta-package 3.11.0 brings infrastructure and agent-platform; the gateway is floored at 5.12.0.',
  '9.2/bundle-0.9.0': 'The platform MCP bundle 0.9.0 labels the infrastructure families.',
  '9.2/model-manager-0.18.0': 'model-manager 0.18.0 labels its MCPServer.',
  '9.2/agent-manager-label-0.3.0': 'agent-manager 0.3.0 labels its MCPServer.',
  '9.2/standalone-0.36.0': 'Standalone 0.36.0 labels its bundled cluster-management server.',
  '9.2/standalone-0.37.0': 'Standalone 0.37.0 runs gateway 5.12.0, without platform presets.',
});
