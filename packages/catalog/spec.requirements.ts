import type { Requirements } from '@gateway/repo-checks';

/** What of the specification this package answers for. */
export const requirements = {
  '1.3/tool-kinds':
    'Tool kinds: tool (served by an MCPServer), workflow (a Workflow exposed as one tool), core (the gateway’s own tools, names core_*).',
  '1.4/server-tool-names': 'Server tools are exposed as x_<server>_<tool>.',
  '1.4/name-holder':
    'The holder of an exposed name keeps it until its server is deleted or drops the tool.',
  '1.4/workflow-names': 'Workflows are exposed as workflow_<name>.',
  '1.4/core-names': 'Core tools are exposed as core_*.',
  '1.4/family-names': 'A family tool is named <prefix>_<family-name>_<tool>.',
  '2.4/server': 'An entry carries its owning MCPServer; omitted for workflows and core tools.',
  '2.4/server-of-family': 'The entry of a family tool carries the family name as its server.',
  '2.4/kind': 'An entry carries its kind: tool, workflow or core.',
  '2.4/annotations': 'An entry carries the hints declared by the server.',
  '2.4/no-annotations': 'annotations is omitted when the tool carries none.',
  '2.5/all-read-only':
    'A workflow is read-only when every tool its steps reference resolves, in the caller’s catalog, to a tool annotated read-only.',
  '2.5/conditions': 'References include the tools of conditions.',
  '2.5/sub-steps': 'References include forEach and parallel sub-steps.',
  '2.5/on-failure': 'References include onFailure handlers.',
  '2.5/nested': 'Nested workflows are followed.',
  '2.5/writing-core-tool': 'A step calling a writing core tool makes the workflow not read-only.',
  '2.5/unknown-tool': 'A step calling an unknown tool makes the workflow not read-only.',
  '2.5/cycle': 'A cycle of workflows makes them not read-only.',
  '2.5/read-only-core-tool': 'A step calling a read-only core tool keeps the workflow read-only.',
  '2.5/derived-hint':
    'The derived hint fills the workflow tool’s readOnlyHint, and describe_tool shows it.',
  '2.5/read-only-preset': 'preset:read-only includes pure-query workflows by the derived hint.',
  '2.6/tool-prefix':
    'toolPrefix is prepended to the server’s tool names, so that two servers do not conflict.',
  '2.6/family-surface': 'Servers sharing a family name share one exposed surface.',
  '2.6/family-instance-arg':
    'Tools of a family carry the required argument that selects the instance.',
  '2.6/family-divergence':
    'When members diverge on instanceArg, the family falls back to per-server prefixing, with a warning.',
  '2.6/family-single-instance':
    'The instance argument is required even for a single-instance family.',
  '9.2/gateway-5.11-derivation': 'Gateway 5.11.0 brings the read-only derivation of workflows.',
} as const satisfies Requirements;
