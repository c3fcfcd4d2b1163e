import type { Requirements } from '@gateway/repo-checks';

/** The requirements of the specification that this package owns. */
export const requirements = {
  '8/request-limits': 'Rate limits and request size limits: not shown.',
} as const satisfies Requirements;
