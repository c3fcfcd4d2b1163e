import { lookup } from 'node:dns/promises';
import { limitLookups } from './limited-resolver.ts';
import type { ResolveHost } from './resolve-host.ts';

/** The system's own way, `/etc/hosts` included. All callers share one line. */
export const resolveHost: ResolveHost = limitLookups((host) => lookup(host, { all: true }));
