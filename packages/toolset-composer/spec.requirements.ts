import type { Requirements } from '@gateway/repo-checks';

/** The requirements of the specification on a portal: its rules, without their presentation. */
export const requirements = {
  '9.2/portal-release': 'The developer portal 0.239.0 brings toolset in the composed release.',
} as const satisfies Requirements;
