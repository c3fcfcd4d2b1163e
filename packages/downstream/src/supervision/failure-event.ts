import { authStrategyOf } from '@gateway/crd-schemas';
import type { McpServer } from '@gateway/crd-schemas';
import type { ConnectionFailure } from '../connection/connection-failure.ts';
import type { MachineEventKind } from './machine/phase.ts';

/** Returns whether requests to the server need the token of a person. @spec §2.6 auth */
const needsSignIn = ({ spec }: McpServer): boolean =>
  spec.type !== 'stdio' && authStrategyOf(spec.auth).kind !== 'none';

/** Returns the event of a failure. A refusal of the credentials in a definition may pass, one that a person must resolve does not. */
export const failureEventOf = (
  server: McpServer,
  { code }: ConnectionFailure,
): Extract<MachineEventKind, 'failed' | 'unauthorized' | 'sign-in-required'> => {
  if (code !== 'auth-required') return 'failed';
  return needsSignIn(server) ? 'sign-in-required' : 'unauthorized';
};
