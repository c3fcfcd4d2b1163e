import type { Requirements } from '@gateway/repo-checks';

/** What of the specification this package answers for. */
export const requirements = {
  '1.3/tool-kinds':
    'Tool kinds: tool (served by an MCPServer), workflow (a Workflow exposed as one tool), core (the gateway’s own tools, names core_*).',
  '1.4/server-tool-names': 'Server tools are exposed as x_<server>_<tool>.',
  '1.4/workflow-names': 'Workflows are exposed as workflow_<name>.',
  '1.4/core-names': 'Core tools are exposed as core_*.',
  '1.4/family-names': 'A family tool is named <prefix>_<family-name>_<tool>.',
  '2.4/server': 'An entry carries its owning MCPServer; omitted for workflows and core tools.',
  '2.4/server-of-family': 'The entry of a family tool carries the family name as its server.',
  '2.4/kind': 'An entry carries its kind: tool, workflow or core.',
  '2.4/annotations': 'An entry carries the hints declared by the server.',
  '2.4/no-annotations': 'annotations is omitted when the tool carries none.',
  '2.6/tool-prefix':
    'toolPrefix is prepended to the server’s tool names, so that two servers do not conflict.',
  '2.6/family-surface': 'Servers sharing a family name share one exposed surface.',
  '2.6/family-instance-arg':
    'Tools of a family carry the required argument that selects the instance.',
  '2.6/family-divergence':
    'When members diverge on instanceArg, the family falls back to per-server prefixing, with a warning.',
  '2.6/family-single-instance':
    'The instance argument is required even for a single-instance family.',
} as const satisfies Requirements;
