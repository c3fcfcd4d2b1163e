import type { Requirements } from '@gateway/repo-checks';

/** What of the specification this package answers for: what agent-manager writes, changes and reads. */
export const requirements = {
  '4.4/validate-without-writing': 'validate_agent validates like create_agent, without writing.',
  '4.4/update-replaces': 'update_agent replaces the whole list of the toolset.',
  '4.4/update-older-agents': 'update_agent is how agents that predate toolsets get one.',
  '4.4/read-toolset': 'Reads report toolset when the release declares one.',
  '4.4/read-implicit':
    'Reads report implicitFullAccess: true when the release declares no toolset.',
  '4.4/as-given': 'The list is written to the chart’s toolset value exactly as given.',
} as const satisfies Requirements;
