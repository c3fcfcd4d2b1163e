import type { Requirements } from '@gateway/repo-checks';

/** The requirements of the specification that this package owns. */
export const requirements = {} as const satisfies Requirements;
