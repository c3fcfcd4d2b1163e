import type { Requirements } from '@gateway/repo-checks';

/** What of the specification the charts answer for. Each id stands here together with a test that proves it. */
export const requirements = {} as const satisfies Requirements;
