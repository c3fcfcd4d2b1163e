import { lookup } from 'node:dns/promises';
import { fewLookups } from './limited-resolver.ts';
import type { ResolveHost } from './resolve-host.ts';

/** The system's own way, `/etc/hosts` included. All callers share one line. */
export const resolveHost: ResolveHost = fewLookups((host) => lookup(host, { all: true }));
