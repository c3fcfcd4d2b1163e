import type { ServerTool } from '@gateway/catalog';
import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import type { DownstreamError, RequestPeer } from '../requests/call.ts';
import type { ConnectionRow } from './connection-table.ts';
import type { OwnedConnection } from './owned-connection.ts';
import { statusState } from './phase-table.ts';

/** A server as the requests of one user or client session reach it. It follows the row. */
export class OwnedPeer implements RequestPeer {
  readonly definition: McpServer;
  /** The refusal says whether a sign-in is missing. */
  readonly requiresAuth = false;
  readonly #row: ConnectionRow;
  readonly #tools: (() => readonly ServerTool[]) | undefined;

  /** @param tools the tools of a connection that reads no lists */
  constructor(definition: McpServer, row: ConnectionRow, tools?: () => readonly ServerTool[]) {
    this.definition = definition;
    this.#row = row;
    this.#tools = tools;
  }

  get row(): ConnectionRow {
    return this.#row;
  }

  get statusState(): McpServerState {
    const { connection, problem } = this.#row;
    const { type } = this.definition.spec;
    if (connection !== undefined) return statusState(type, 'live');
    return statusState(type, problem === undefined ? 'waiting' : 'auth-required');
  }

  get connection(): OwnedConnection | undefined {
    return this.#row.connection;
  }

  get tools(): readonly ServerTool[] {
    return this.#tools?.() ?? this.#row.lists?.tools ?? [];
  }

  get refusal(): DownstreamError {
    const { server, problem, failure } = this.#row;
    if (problem !== undefined && problem.code !== 'unavailable')
      return { code: 'server.auth-required', server, reason: problem.reason };
    const reason = problem?.reason ?? failure ?? 'the connection was closed';
    return { code: 'server.connection-lost', server, reason };
  }
}
