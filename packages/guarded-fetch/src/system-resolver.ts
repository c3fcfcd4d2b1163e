import { lookup } from 'node:dns/promises';
import { limitLookups } from './limited-resolver.ts';
import type { ResolveHost } from './resolve-host.ts';

/** Resolves a host with the resolver of the system, `/etc/hosts` included. All callers share one queue with a limit on concurrent lookups. */
export const resolveHost: ResolveHost = limitLookups((host) => lookup(host, { all: true }));
