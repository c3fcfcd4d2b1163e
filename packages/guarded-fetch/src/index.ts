export { checkedTarget } from './checked-target.ts';
export type { CheckedTarget } from './checked-target.ts';
export { createGuardedFetch } from './guarded-fetch.ts';
export type { GuardedFetch } from './guarded-fetch.ts';
export { GuardedFetchError } from './guarded-fetch-error.ts';
export { pinnedAgent } from './pinned-agent.ts';
export { requestFetch } from './request-fetch.ts';
export type { ResolveHost } from './resolve-host.ts';
export { resolveHost } from './system-resolver.ts';
