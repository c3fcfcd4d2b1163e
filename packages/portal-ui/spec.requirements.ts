import type { Requirements } from '@gateway/repo-checks';

/** The requirements of the specification on the components of a portal. */
export const requirements = {
  '9.2/portal-tools-step':
    'The developer portal 0.239.0 brings the Tools step in the agent creation wizard.',
  '9.2/portal-toolset-card':
    'The developer portal 0.239.0 brings the Toolset card on the agent page.',
} as const satisfies Requirements;
