import {
  type CredentialChange,
  type CredentialKind,
  type Principal,
  isResolvedWithin,
  type ServerCredentials,
} from '@gateway/call-contract';
import {
  type ConnectionOwner,
  type ConnectionRow,
  createOwner,
  type CredentialProblem,
  isHidden,
  OwnedPeer,
  type RowListener,
  UserAuthority,
} from './connection-table.ts';
import type { ConnectionDriver } from './connection-driver.ts';
import type { Supervisor } from './fleet.ts';
import type { UserPolicy } from './policy.ts';

/** A server that users sign in to, or that gets their credentials. */
interface UserTarget extends Pick<Supervisor, 'definition' | 'isDesired' | 'generation'> {
  readonly server: string;
  readonly kind: Exclude<CredentialKind, 'shared'>;
}

interface EndedTarget {
  readonly server: string;
  /** Each connection ends when its calls have ended. */
  readonly mayFinish: boolean;
  /** The server is only stopped: what users knew about it stays known. */
  readonly isStopped: boolean;
}

const isSame = (a: UserTarget, b: UserTarget | undefined): boolean =>
  a.kind === b?.kind &&
  a.definition === b.definition &&
  a.isDesired === b.isDesired &&
  a.generation === b.generation;

export class UserTargets {
  readonly #credentials: ServerCredentials;
  #targets: ReadonlyMap<string, UserTarget> = new Map();
  #revision = 0;

  constructor(credentials: ServerCredentials) {
    this.#credentials = credentials;
  }

  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#targets.size;
  }

  get(server: string): UserTarget | undefined {
    return this.#targets.get(server);
  }

  all(): readonly UserTarget[] {
    return [...this.#targets.values()];
  }

  /** Follows the servers, sorted by name. Returns the targets whose connections must end. */
  update(supervisors: readonly Supervisor[]): readonly EndedTarget[] {
    const before = this.#targets;
    const targets = supervisors.flatMap((supervisor) => this.#toTarget(supervisor) ?? []);
    const next = new Map(targets.map((target) => [target.server, target]));
    const isUnchanged =
      before.size === next.size &&
      targets.every((target) => isSame(target, before.get(target.server)));
    if (isUnchanged) return [];
    this.#targets = next;
    this.#revision += 1;
    return [...before.values()].flatMap(({ server, generation, definition }) => {
      const now = next.get(server);
      if (now?.isDesired === true && now.generation === generation) return [];
      const mayFinish = now?.isDesired === true && now.generation.mayFinish;
      const isStopped = now?.isDesired === false && now.definition === definition;
      return [{ server, mayFinish, isStopped }];
    });
  }

  /** A server without a sign-in may still demand one; then users can sign in to it. */
  #toTarget({
    definition,
    demandsSignIn,
    isDesired,
    generation,
  }: Supervisor): UserTarget | undefined {
    if (definition.spec.type === 'stdio') return undefined;
    const known = this.#credentials.findKind(definition);
    const kind = known === 'shared' && demandsSignIn ? 'oauth' : known;
    if (kind === 'shared') return undefined;
    return { server: definition.metadata.name, kind, definition, isDesired, generation };
  }
}

interface UserConnectionsOptions {
  readonly credentials: ServerCredentials;
  readonly policy: UserPolicy;
  readonly connections: ConnectionDriver;
  readonly now: () => number;
  readonly onUserChanged: (principalKey: string) => void;
  readonly onSignedOut: (server: string, principalKey: string) => void;
}

export type UserOutcome =
  | {
      readonly code: 'connected';
      readonly server: string;
      readonly tools: number;
      readonly resources: number;
      readonly prompts: number;
    }
  /** The server needs no sign-in of its users. */
  | { readonly code: 'not-per-user'; readonly server: string }
  | { readonly code: 'unknown'; readonly server: string }
  | { readonly code: 'auth-required'; readonly server: string; readonly reason: string }
  | { readonly code: 'failed'; readonly server: string; readonly reason: string };

const toUserOutcome = ({ server, lists, problem, failure }: ConnectionRow): UserOutcome => {
  if (problem !== undefined) {
    const { reason } = problem;
    return problem.code === 'unavailable'
      ? { code: 'failed', server, reason }
      : { code: 'auth-required', server, reason };
  }
  if (failure !== undefined || lists === undefined)
    return { code: 'failed', server, reason: failure ?? 'the attempt was ended' };
  const { tools, resources, prompts } = lists;
  return {
    code: 'connected',
    server,
    tools: tools.length,
    resources: resources.length,
    prompts: prompts.length,
  };
};

interface User extends ConnectionOwner {
  /** The revision of the servers that were last prepared for the user; `undefined` before. */
  prepared: number | undefined;
  preparing: Promise<void> | undefined;
  /** Resolves when the connections of the user have followed the changes of the sign-ins, or after a bound. */
  following: Promise<void> | undefined;
  /** Monotonic time of the next attempt to prepare, in milliseconds. */
  retryAt: number;
}

const createUser = (principal: Principal): User => ({
  ...createOwner('user', principal.key, principal),
  prepared: undefined,
  preparing: undefined,
  following: undefined,
  retryAt: Infinity,
});

const isUser = (owner: ConnectionOwner | undefined): owner is User => owner?.kind === 'user';

const SIGNED_OUT: CredentialProblem = {
  ok: false,
  code: 'sign-in-required',
  reason: 'the user signed out',
};

/** Returns the time from which a row without lists may be tried again; infinite when there is nothing to try. */
const computeNextAttempt = ({ lists, failedAt, state }: ConnectionRow): number => {
  if (lists !== undefined || state.failures === 0) return Infinity;
  return 'delayMs' in state.phase ? failedAt + state.phase.delayMs : failedAt;
};

const isUnprepared = (
  row: ConnectionRow | undefined,
  kind: UserTarget['kind'],
  now: number,
): boolean => {
  if (row === undefined) return true;
  if (row.lists !== undefined) return false;
  const isRefused = row.problem !== undefined && row.problem.code !== 'unavailable';
  // A sign-in is reported by the credentials.
  if (kind === 'oauth' && isRefused) return false;
  return row.state.failures === 0 || now >= computeNextAttempt(row);
};

/** The servers as each user sees them. A connection belongs to one user and one server. @spec §2.6 auth, §5.1 */
export class UserConnections implements RowListener {
  readonly #options: UserConnectionsOptions;
  readonly #connections: ConnectionDriver;
  readonly targets: UserTargets;
  readonly #stopListening: () => void;
  readonly #signInListeners = new Set<(principalKey: string) => void>();

  constructor(options: UserConnectionsOptions) {
    this.#options = options;
    this.#connections = options.connections;
    this.targets = new UserTargets(options.credentials);
    this.#stopListening = options.credentials.onChange((change) => this.#followSignIn(change));
  }

  update(supervisors: readonly Supervisor[]): void {
    for (const { server, mayFinish, isStopped } of this.targets.update(supervisors)) {
      this.#connections.forgetServer(server);
      for (const user of this.#connections.table.listOwners('user')) {
        const row = user.rows.get(server);
        if (row === undefined) continue;
        user.version += 1;
        this.#connections[mayFinish ? 'drain' : 'end'](row);
        if (!isStopped) this.#connections.table.remove(row);
      }
    }
  }

  createAuthority(row: ConnectionRow): UserAuthority | undefined {
    const { credentials, now } = this.#options;
    const target = this.targets.get(row.server);
    return (
      target &&
      new UserAuthority({
        credentials,
        server: () => (this.targets.get(row.server) ?? target).definition,
        principal: () => row.owner.principal,
        now,
        onProblem: (problem) => this.onProblem(row, problem),
      })
    );
  }

  /** Calls back when the sign-in of a known user changes, before the connections follow it. Returns the function that removes the listener. */
  onSignInChange(listener: (principalKey: string) => void): () => void {
    this.#signInListeners.add(listener);
    return () => this.#signInListeners.delete(listener);
  }

  /** Opens the connections that the first list of a user needs, within a bound. Concurrent calls share one run. `undefined` when nothing is to do. */
  prepare(principal: Principal): Promise<void> | undefined {
    if (this.targets.size === 0) return undefined;
    const user = this.#recordUser(principal);
    const preparing = this.#prepareOnce(user);
    const { following } = user;
    if (following === undefined) return preparing;
    return preparing === undefined ? following : preparing.then(() => following);
  }

  async connect(server: string, principal: Principal): Promise<UserOutcome> {
    const target = this.targets.get(server);
    if (target === undefined) return { code: 'not-per-user', server };
    if (!target.isDesired) return { code: 'failed', server, reason: 'the server is stopped' };
    const row = this.#openRow(this.#recordUser(principal), server);
    row.problem = undefined;
    row.failure = undefined;
    if (row.connection === undefined) await this.#connections.open(row);
    return toUserOutcome(row);
  }

  disconnect(server: string, principal: Principal): void {
    const row = this.#findUser(principal.key)?.rows.get(server);
    if (row !== undefined) this.#signOut(row, SIGNED_OUT);
  }

  /** Returns the server as the requests of a user reach it: over the shared connection, if there is one, when the user has no sign-in. */
  findPeer(
    server: string,
    principal: Principal,
    shared: Supervisor | undefined,
  ): Supervisor | OwnedPeer | undefined | Promise<Supervisor | OwnedPeer> {
    const target = this.targets.get(server);
    if (target === undefined || !target.isDesired) return shared;
    const row = this.#openRow(this.#recordUser(principal), server);
    if (row.connection !== undefined) return new OwnedPeer(target.definition, row);
    const live = shared?.connection === undefined ? undefined : shared;
    if (live !== undefined && isHidden(row)) return live;
    return this.#openPeer(target, row, live);
  }

  findKnownPeer(server: string, principalKey: string): OwnedPeer | undefined {
    const target = this.targets.get(server);
    const row = this.#findUser(principalKey)?.rows.get(server);
    return target === undefined || row === undefined
      ? undefined
      : new OwnedPeer(target.definition, row);
  }

  /** The connection or the lists of a row changed. The preparation that began an attempt may have ended before it. */
  onRowChanged(row: ConnectionRow): void {
    const user = row.owner;
    if (!isUser(user)) return;
    user.retryAt = Math.min(user.retryAt, computeNextAttempt(row));
    user.version += 1;
    this.#options.onUserChanged(user.key);
  }

  /** Records why a request could not be authorized. A sign-in may have followed it, so a sign-out is checked. */
  onProblem(row: ConnectionRow, problem: CredentialProblem): void {
    const own = this.#findSignInRow(row);
    if (own === undefined) return;
    if (problem.code === 'sign-in-required') void this.#reconsider(own);
    else this.#recordRefusal(own, problem);
  }

  onAuthorized(row: ConnectionRow): void {
    const own = this.#findSignInRow(row);
    if (own?.problem === undefined) return;
    own.problem = undefined;
    this.onRowChanged(own);
  }

  /** Returns the row with the state of the sign-in, which the client sessions of a user share. */
  #findSignInRow(row: ConnectionRow): ConnectionRow | undefined {
    return row.owner.kind === 'user'
      ? row
      : this.#findUser(row.owner.principal.key)?.rows.get(row.server);
  }

  close(): void {
    this.#stopListening();
  }

  #findUser(key: string): User | undefined {
    const owner = this.#connections.table.findOwner('user', key);
    return isUser(owner) ? owner : undefined;
  }

  /** Returns the user of a request, who becomes the latest. */
  #recordUser(principal: Principal): User {
    const user = this.#findUser(principal.key) ?? createUser(principal);
    user.principal = principal;
    const { table } = this.#connections;
    for (const forgotten of table.addOwner(user, this.#options.policy.maxUsers))
      for (const row of forgotten.rows.values()) this.#connections.end(row);
    return user;
  }

  #openRow(user: User, server: string): ConnectionRow {
    return this.#connections.table.openRow(user, server);
  }

  #prepareOnce(user: User): Promise<void> | undefined {
    if (user.preparing !== undefined) return user.preparing;
    const isPrepared =
      user.prepared === this.targets.revision && this.#options.now() < user.retryAt;
    if (isPrepared) return undefined;
    user.preparing = this.#prepare(user).finally(() => {
      user.preparing = undefined;
    });
    return user.preparing;
  }

  async #prepare(user: User): Promise<void> {
    const { now, policy } = this.#options;
    const { revision } = this.targets;
    const opening = this.targets
      .all()
      .flatMap(({ server, kind, isDesired }) =>
        isDesired && isUnprepared(user.rows.get(server), kind, now())
          ? [this.#connections.open(this.#openRow(user, server))]
          : [],
      );
    // A server that hangs again must not delay each request of its user.
    const waitMs = user.prepared === revision ? policy.retryWaitMs : policy.prepareMs;
    await isResolvedWithin(Promise.all(opening), waitMs);
    user.prepared = revision;
    user.retryAt = Math.min(...[...user.rows.values()].map((row) => computeNextAttempt(row)));
  }

  async #openPeer(
    { definition }: UserTarget,
    row: ConnectionRow,
    live: Supervisor | undefined,
  ): Promise<Supervisor | OwnedPeer> {
    if (!this.#connections.isBackingOff(row)) await this.#connections.open(row);
    const isShared = live !== undefined && row.connection === undefined && isHidden(row);
    return isShared ? live : new OwnedPeer(definition, row);
  }

  #followSignIn({ server, principalKey }: CredentialChange): void {
    const user = this.#findUser(principalKey);
    const target = this.targets.get(server);
    if (user === undefined || target === undefined) return;
    if (!target.isDesired) {
      // Without a connection it is unknown whether the user may still see the lists.
      user.rows.delete(server);
      return;
    }
    const work = this.#reconsider(this.#openRow(user, server)).catch(() => undefined);
    this.#follow(user, work);
    for (const listener of [...this.#signInListeners]) listener(principalKey);
  }

  /** Lets the next requests of a user wait for a change of a sign-in. */
  #follow(user: User, work: Promise<void>): void {
    const bounded = isResolvedWithin(work, this.#options.policy.prepareMs);
    const following = Promise.all([user.following, bounded]).then(() => {
      if (user.following === following) user.following = undefined;
    });
    user.following = following;
  }

  async #reconsider(row: ConnectionRow): Promise<void> {
    const definition = this.targets.get(row.server)?.definition;
    if (definition === undefined) return;
    row.changes += 1;
    const { changes } = row;
    const outcome = await this.#options.credentials.current(definition, row.owner.principal);
    // A later change has a later credential.
    if (row.changes !== changes) return;
    if (!outcome.ok) {
      this.#recordRefusal(row, outcome);
      return;
    }
    // An attempt in progress may use an earlier credential, and the event stream of a refused one has ended.
    if (row.connection === undefined || row.problem !== undefined) this.#connections.drain(row);
    row.problem = undefined;
    row.failure = undefined;
    await this.#connections.open(row);
    this.onRowChanged(row);
  }

  #recordRefusal(row: ConnectionRow, problem: CredentialProblem): void {
    if (problem.code === 'sign-in-required') {
      this.#signOut(row, problem);
      return;
    }
    const isNew = row.problem?.code !== problem.code;
    row.problem = problem;
    if (isNew) this.onRowChanged(row);
  }

  #signOut(row: ConnectionRow, problem: CredentialProblem): void {
    this.#connections.end(row, problem);
    row.problem = problem;
    row.lists = undefined;
    this.#options.onSignedOut(row.server, row.owner.key);
    this.onRowChanged(row);
  }
}
