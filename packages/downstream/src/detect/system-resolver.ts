import { lookup } from 'node:dns/promises';
import { limitLookups } from './limited-resolver.ts';
import type { ResolveHost } from './resolve-host.ts';

/** The resolver of the system, `/etc/hosts` included. All callers share one queue. */
export const resolveHost: ResolveHost = limitLookups((host) => lookup(host, { all: true }));
