import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import type { DownstreamError } from '../requests/call.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import type { PersonalConnection } from './personal-connection.ts';
import type { PersonalRecord } from './personal-record.ts';

/** Returns why a person has no connection to a server. */
const refusalOf = ({ server, problem, failure }: PersonalRecord): DownstreamError => {
  if (problem !== undefined && problem.code !== 'unavailable')
    return { code: 'server.auth-required', server, reason: problem.reason };
  const reason = problem?.reason ?? failure ?? 'the connection was closed';
  return { code: 'server.connection-lost', server, reason };
};

const stateOf = ({ problem, connection }: PersonalRecord): McpServerState => {
  if (connection !== undefined) return 'Connected';
  return problem === undefined ? 'Failed' : 'Auth Required';
};

/** A server as the requests of one person reach it. */
export interface PersonalPeer extends RequestPeer {
  readonly connection: PersonalConnection | undefined;
}

/** Returns the server of a record. It follows the record. */
export const personalPeer = (definition: McpServer, record: PersonalRecord): PersonalPeer => ({
  definition,
  // The refusal says whether a sign-in is missing.
  requiresAuth: false,
  get statusState() {
    return stateOf(record);
  },
  get connection() {
    return record.connection;
  },
  get tools() {
    return record.lists?.tools ?? [];
  },
  get refusal() {
    return refusalOf(record);
  },
});
