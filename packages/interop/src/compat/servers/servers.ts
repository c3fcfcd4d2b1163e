import { COMPILED_SERVERS } from './compiled-servers.ts';
import { NPM_SERVERS } from './npm-servers.ts';
import { PYTHON_SERVERS } from './python-servers.ts';
import type { ServerUnderTest } from './server-under-test.ts';

/** The servers of the suite, in the order of the table. */
export const SERVERS: readonly ServerUnderTest[] = [
  ...NPM_SERVERS,
  ...PYTHON_SERVERS,
  ...COMPILED_SERVERS,
];
