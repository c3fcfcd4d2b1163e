import type { Requirements } from '@gateway/repo-checks';

/** What of the specification this package answers for. */
export const requirements = {} as const satisfies Requirements;
