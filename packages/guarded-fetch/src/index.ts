export { createGuardedFetch } from './guarded-fetch.ts';
export type { GuardedFetch } from './guarded-fetch.ts';
export { GuardedFetchError } from './guard.ts';
export { Guard, parseTargetUrl } from './guard.ts';
export { loadDispatchers } from './open-dispatcher.ts';
export type { DispatcherOptions, OpenDispatcher } from './open-dispatcher.ts';
export type { ResolveHost } from './resolve-host.ts';
export { resolveHost } from './resolve-host.ts';
