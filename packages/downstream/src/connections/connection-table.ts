import { ANONYMOUS } from '@gateway/call-contract';
import type { Principal } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';
import type { SessionRenewals } from '../connection/session-renewals.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { Attempt } from './attempts.ts';
import { INITIAL_STATE } from './machine.ts';
import type { MachineState } from './machine.ts';
import type { OwnedConnection } from './owned-connection.ts';
import type { CredentialProblem } from './user-authority.ts';

/** The kinds of owners of connections. Each is a row of {@link OwnerPolicy}. */
export type OwnerKind = 'shared' | 'user' | 'session';

/** The owner of connections: everybody, a user, or the session of a client. */
export interface ConnectionOwner {
  readonly kind: OwnerKind;
  readonly key: string;
  /** The user of the latest request, whose credential the connections carry. */
  principal: Principal;
  /** The user, or the network of callers without a sign-in, that the limits count. Absent when the owner is not limited. */
  readonly limitedAs: string | undefined;
  /** Changes with the connections and lists of the owner. */
  version: number;
  /** By server. */
  readonly rows: Map<string, ConnectionRow>;
}

/** One owner's connection to one server. There may be 100,000 rows, so a row has no objects until it needs them. */
export interface ConnectionRow {
  readonly owner: ConnectionOwner;
  readonly server: string;
  state: MachineState;
  connection: OwnedConnection | undefined;
  /** The definition of the last attempt, and of a shared connection the present one. */
  definition: McpServer | undefined;
  /** The lists of the last connection, shared by all users with equal lists. */
  lists: ServerLists | undefined;
  /** Why the credential could not be used. */
  problem: CredentialProblem | undefined;
  /** Why the last attempt to connect failed: one line without secrets. */
  failure: string | undefined;
  /** Monotonic time of the last failure, in milliseconds. */
  failedAt: number;
  /** Absent until the server refused a session. */
  renewals: SessionRenewals | undefined;
  opening: Promise<void> | undefined;
  /** Counts the changes of the credential. */
  changes: number;
  attempt: Attempt<ConnectionRow> | undefined;
}

const createRow = (owner: ConnectionOwner, server: string): ConnectionRow => ({
  owner,
  server,
  state: INITIAL_STATE,
  connection: undefined,
  definition: undefined,
  lists: undefined,
  problem: undefined,
  failure: undefined,
  failedAt: 0,
  renewals: undefined,
  opening: undefined,
  changes: 0,
  attempt: undefined,
});

/** Returns whether the user has signed out, so that nothing of the server is shown. */
export const isHidden = ({ problem }: ConnectionRow): boolean =>
  problem?.code === 'sign-in-required';

/** The connections by owner and server, and the times of their last use. */
export class ConnectionTable {
  readonly #now: () => number;
  /** By kind and key, the least recent request first. */
  readonly #owners: Readonly<Record<OwnerKind, Map<string, ConnectionOwner>>> = {
    shared: new Map(),
    user: new Map(),
    session: new Map(),
  };
  /** Monotonic time of the last use of the rows that have a place, least recently used first. */
  readonly #places: Readonly<Record<OwnerKind, Map<ConnectionRow, number>>> = {
    shared: new Map(),
    user: new Map(),
    session: new Map(),
  };

  /** The owner of the connections that everybody uses. */
  readonly shared: ConnectionOwner = {
    kind: 'shared',
    key: '',
    principal: ANONYMOUS,
    limitedAs: undefined,
    version: 0,
    rows: new Map(),
  };

  /** @param now returns monotonic time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.addOwner(this.shared, 1);
  }

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

  /** Returns the row of an owner at a server, which is created when it is missing. */
  row(owner: ConnectionOwner, server: string): ConnectionRow {
    const row = owner.rows.get(server) ?? createRow(owner, server);
    owner.rows.set(server, row);
    return row;
  }

  /** Removes a row, and a client session without rows. */
  remove(row: ConnectionRow): void {
    const { owner, server } = row;
    this.leave(row);
    if (owner.rows.get(server) === row) owner.rows.delete(server);
    if (owner.kind === 'session' && owner.rows.size === 0) this.#owners.session.delete(owner.key);
  }

  /** Records that a connection is opened or used. */
  use(row: ConnectionRow): void {
    const places = this.#places[row.owner.kind];
    places.delete(row);
    places.set(row, this.#now());
  }

  /** Gives the place of a row to others. */
  leave(row: ConnectionRow): void {
    this.#places[row.owner.kind].delete(row);
  }

  hasPlace(row: ConnectionRow): boolean {
    return this.#places[row.owner.kind].has(row);
  }

  /** Returns the rows with a place, least recently used first. */
  placed(kind: OwnerKind): readonly ConnectionRow[] {
    return [...this.#places[kind].keys()];
  }

  /** Returns the rows that were not used since a time, least recently used first. */
  unusedSince(kind: OwnerKind, time: number): readonly ConnectionRow[] {
    const rows: ConnectionRow[] = [];
    for (const [row, at] of this.#places[kind]) {
      if (at > time) break;
      rows.push(row);
    }
    return rows;
  }

  /** Returns the number of open connections by server. */
  countByServer(kind: OwnerKind): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { server, connection } of this.#places[kind].keys())
      if (connection !== undefined) counts.set(server, (counts.get(server) ?? 0) + 1);
    return counts;
  }
}
