import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder of the user that keeps programs between runs. */
export const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gateway-test-peers');
