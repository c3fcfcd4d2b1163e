import { openFor } from '../open-requirement.ts';

/** What the Helm charts render and ship. */
export const chartRequirements = openFor('charts', {
  '2.2/gateway-chart-path':
    'toolsetPresets is the value muster.toolsetPresets on the gateway chart.',

  '2.3/stamping-bundle':
    'The MCP bundle (0.9.0 and later) stamps infrastructure by muster.families.<group>.toolGroup, default infrastructure.',
  '2.3/stamping-entry': 'mcpServers[].toolGroup overrides the stamp per entry.',
  '2.3/stamping-agent-platform':
    'agent-manager (0.3.0 and later) and model-manager (0.18.0 and later) stamp agent-platform.',
  '2.3/stamping-override': 'muster.mcpServer.labels can override the stamped label.',

  '9.2/bundle-0.9.0': 'The platform MCP bundle 0.9.0 labels the infrastructure families.',
  '9.2/model-manager-0.18.0': 'model-manager 0.18.0 labels its MCPServer.',
  '9.2/agent-manager-label-0.3.0': 'agent-manager 0.3.0 labels its MCPServer.',
});
