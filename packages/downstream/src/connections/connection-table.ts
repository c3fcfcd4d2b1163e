import { ANONYMOUS, type Principal } from '@gateway/call-contract';
import type { ServerTool } from '@gateway/catalog';
import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import type { HealthReport } from '../connection/server-link.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { DownstreamError, RequestPeer } from '../requests/requests.ts';
import type { AttemptSeries, SessionRenewals } from './attempts.ts';
import { INITIAL_STATE, type MachineEvent, type MachineState, toStatusState } from './machine.ts';
import type { CredentialProblem, OwnedConnection, UserAuthority } from './owned-connection.ts';

export type OwnerKind = 'shared' | 'user' | 'session';

/** The time in which the connections to a server stay: another object when all of them must be replaced. */
export interface Generation {
  /** The calls on the connections of the generation before may finish: only values of Secrets and ConfigMaps have changed. */
  readonly mayFinish: boolean;
}

export interface DefinedServer {
  readonly definition: McpServer;
  readonly generation: Generation;
}

export interface ServedConnection extends DefinedServer {
  onMove(before: MachineState, event: MachineEvent): void;
  /** The connection is live, which `onMove` has not reported yet. */
  onConnected(): void;
  onHealth(health: HealthReport): void;
  onProgress(line: string): void;
  onListsRead(isChanged: boolean): void;
}

export interface ConnectionOwner {
  readonly kind: OwnerKind;
  readonly key: string;
  /** The user of the latest request, whose credential the connections carry. */
  principal: Principal;
  /** The user, or the network of callers without a sign-in, that the limits count. Absent when the owner is not limited. */
  readonly limitedAs: string | undefined;
  /** Changes with the connections and lists of the owner. */
  version: number;
  readonly rows: Map<string, ConnectionRow>;
}

/** One owner's connection to one server. There may be 100,000 rows, so a row has no objects until it needs them. */
export interface ConnectionRow {
  readonly owner: ConnectionOwner;
  readonly server: string;
  state: MachineState;
  connection: OwnedConnection | undefined;
  generation: Generation | undefined;
  /** The lists of the last connection, shared by all users with equal lists. */
  lists: ServerLists | undefined;
  problem: CredentialProblem | undefined;
  /** Why the last attempt to connect failed: one line without secrets. */
  failure: string | undefined;
  /** Monotonic time of the last failure, in milliseconds. */
  failedAt: number;
  /** Absent until the server refused a session. */
  renewals: SessionRenewals | undefined;
  opening: Promise<void> | undefined;
  changes: number;
  attempts: AttemptSeries | undefined;
  /** The server of a shared connection; absent for other owners. */
  served: ServedConnection | undefined;
}

export const createOwner = (
  kind: OwnerKind,
  key: string,
  principal: Principal,
  limitedAs?: string,
): ConnectionOwner => ({ kind, key, principal, limitedAs, version: 0, rows: new Map() });

const createRow = (owner: ConnectionOwner, server: string): ConnectionRow => ({
  owner,
  server,
  state: INITIAL_STATE,
  connection: undefined,
  generation: undefined,
  lists: undefined,
  problem: undefined,
  failure: undefined,
  failedAt: 0,
  renewals: undefined,
  opening: undefined,
  changes: 0,
  attempts: undefined,
  served: undefined,
});

/** Returns whether the user has signed out, so that nothing of the server is shown. */
export const isHidden = ({ problem }: ConnectionRow): boolean =>
  problem?.code === 'sign-in-required';

export class ConnectionTable {
  /** By kind and key, the least recent request first. */
  readonly #owners: Readonly<Record<OwnerKind, Map<string, ConnectionOwner>>> = {
    shared: new Map(),
    user: new Map(),
    session: new Map(),
  };
  readonly shared = createOwner('shared', '', ANONYMOUS);

  owner(kind: OwnerKind, key: string): ConnectionOwner | undefined {
    return this.#owners[kind].get(key);
  }

  owners(kind: OwnerKind): readonly ConnectionOwner[] {
    return [...this.#owners[kind].values()];
  }

  /** Records an owner as the latest of its kind. Returns the owners beyond the maximum, which are removed. */
  addOwner(owner: ConnectionOwner, max: number): readonly ConnectionOwner[] {
    const owners = this.#owners[owner.kind];
    owners.delete(owner.key);
    owners.set(owner.key, owner);
    const [oldest] = owners.values();
    if (owners.size <= max || oldest === undefined) return [];
    owners.delete(oldest.key);
    return [oldest];
  }

  row(owner: ConnectionOwner, server: string): ConnectionRow {
    const row = owner.rows.get(server) ?? createRow(owner, server);
    owner.rows.set(server, row);
    return row;
  }

  /** Removes a row, and a client session without rows. */
  remove(row: ConnectionRow): void {
    const { owner, server } = row;
    if (owner.rows.get(server) === row) owner.rows.delete(server);
    if (owner.kind === 'session' && owner.rows.size === 0) this.#owners.session.delete(owner.key);
  }
}

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
    if (connection !== undefined) return toStatusState(type, 'live');
    return toStatusState(type, problem === undefined ? 'waiting' : 'auth-required');
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

export interface RowListener {
  /** Returns the credential of the requests of a row; `undefined` when they carry none. */
  authority(row: ConnectionRow): UserAuthority | undefined;
  rowChanged(row: ConnectionRow): void;
  problem(row: ConnectionRow, problem: CredentialProblem): void;
  authorized(row: ConnectionRow): void;
}
