import type { CredentialKind } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import {
  type ConnectionOwner,
  type ConnectionRow,
  type CredentialProblem,
  isHidden,
} from '../connections/connection-table.ts';
import type { UserTargets } from '../connections/user-connections.ts';
import { formatProblemLines } from '../lists/server-lists.ts';
import type { KnownInventories } from '../lists/shared-lists.ts';

/**
 * The state of the sign-in of one user to one server.
 *
 * - `connected`: its lists are known, and the last request was authorized.
 * - `auth_required`: the user has not signed in.
 * - `reauth_required`: the user must sign in again.
 * - `sso_pending`: a connection that needs no sign-in of its own is being opened.
 * - `unreachable`: the store or the provider of the credential does not answer.
 * - `failed`: the server could not be reached with the credential.
 * - `disconnected`: the server is stopped.
 */
type UserStatus =
  | 'connected'
  | 'auth_required'
  | 'reauth_required'
  | 'sso_pending'
  | 'unreachable'
  | 'failed'
  | 'disconnected';

/** One server that a user may sign in to, as that user sees it. Never part of `status`. @spec §2.6 auth */
export interface UserServer {
  readonly server: string;
  readonly kind: Exclude<CredentialKind, 'shared'>;
  readonly status: UserStatus;
  /** One line without secrets; absent when the user is connected. */
  readonly reason?: string;
  readonly toolsCount: number;
  /** The gaps in the lists of the user's connection, one line each; absent when they are complete. */
  readonly listWarnings?: readonly string[];
}

const PROBLEM_STATUS: Readonly<Record<CredentialProblem['code'], UserStatus>> = {
  'sign-in-required': 'auth_required',
  'sign-in-again': 'reauth_required',
  unavailable: 'unreachable',
};

const toStatus = (
  row: ConnectionRow | undefined,
  kind: UserServer['kind'],
): Pick<UserServer, 'status' | 'reason'> => {
  if (row?.problem !== undefined)
    return { status: PROBLEM_STATUS[row.problem.code], reason: row.problem.reason };
  if (row?.failure !== undefined) return { status: 'failed', reason: row.failure };
  if (row?.lists !== undefined) return { status: 'connected' };
  return { status: kind === 'sso' ? 'sso_pending' : 'auth_required' };
};

type Inventories = readonly ServerInventory[];

const MAX_COMBINATIONS = 1_024;

/** The inventories of users together with the shared ones. Users who see the same inventories have the same array. */
class CombinedInventories {
  readonly #ids = new WeakMap<ServerInventory, number>();
  readonly #combined = new Map<string, Inventories>();
  #last = 0;

  /** Returns all inventories, sorted by name. The inventory of a user replaces the shared one of the same server. */
  combine(shared: Inventories, own: Inventories): Inventories {
    const names = new Set(own.map(({ name }) => name));
    const all = [...shared.filter(({ name }) => !names.has(name)), ...own];
    all.sort((a, b) => (a.name < b.name ? -1 : 1));
    const key = all.map((one) => this.#identify(one)).join();
    const known = this.#combined.get(key) ?? all;
    this.#combined.delete(key);
    this.#combined.set(key, known);
    const [oldest] = this.#combined.keys();
    if (this.#combined.size > MAX_COMBINATIONS && oldest !== undefined)
      this.#combined.delete(oldest);
    return known;
  }

  #identify(inventory: ServerInventory): number {
    const known = this.#ids.get(inventory);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#ids.set(inventory, this.#last);
    return this.#last;
  }
}

interface SeenInventories {
  readonly version: number;
  readonly ownerVersion: number;
  readonly all: Inventories | undefined;
}

/** The servers and inventories of users, folded from the table. Users who see the same have the same objects. */
export class UserViews {
  readonly #targets: UserTargets;
  readonly #inventories: KnownInventories;
  readonly #combined = new CombinedInventories();
  readonly #seen = new WeakMap<ConnectionOwner, SeenInventories>();
  #version = 0;

  constructor(targets: UserTargets, inventories: KnownInventories) {
    this.#targets = targets;
    this.#inventories = inventories;
  }

  update(): void {
    this.#version += 1;
  }

  /** Returns the inventories of a user; `undefined` when the user sees the shared ones only. The same array while nothing changes. */
  inventories(user: ConnectionOwner, shared: () => Inventories): Inventories | undefined {
    const seen = this.#seen.get(user);
    if (seen?.version === this.#version && seen.ownerVersion === user.version) return seen.all;
    const own = this.#listInventories(user, true);
    const all = own.length === 0 ? undefined : this.#combined.combine(shared(), own);
    this.#seen.set(user, { version: this.#version, ownerVersion: user.version, all });
    return all;
  }

  /** Returns the last known inventories of the user's disconnected servers; the same array while they are unchanged. */
  lastInventories(user: ConnectionOwner, shared: Inventories): Inventories {
    const names = new Set(this.#listInventories(user, true).map(({ name }) => name));
    const others = shared.filter(({ name }) => !names.has(name));
    return this.#combined.combine(others, this.#listInventories(user, false));
  }

  servers(user: ConnectionOwner | undefined): readonly UserServer[] {
    return this.#targets.all().map(({ server, kind, isDesired }) => {
      if (!isDesired) return { server, kind, status: 'disconnected', toolsCount: 0 };
      const row = user?.rows.get(server);
      const listWarnings = formatProblemLines(
        row?.connection?.connection.listReader.problems ?? [],
      );
      return {
        server,
        kind,
        ...toStatus(row, kind),
        toolsCount: row?.lists?.tools.length ?? 0,
        ...(listWarnings.length === 0 ? {} : { listWarnings }),
      };
    });
  }

  /** Returns the inventories of the servers, or of the stopped ones, that a user is signed in to. Tokens that ended do not hide them. */
  #listInventories(user: ConnectionOwner, isDesired: boolean): Inventories {
    return this.#targets.all().flatMap((target) => {
      const row = user.rows.get(target.server);
      if (row?.lists === undefined || isHidden(row) || target.isDesired !== isDesired) return [];
      return [this.#inventories.find(target.definition, row.lists)];
    });
  }
}
