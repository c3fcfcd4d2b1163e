import {
  ANONYMOUS,
  type Caller,
  type Credential,
  type CredentialOutcome,
  withOverrides,
  type Principal,
  type ServerCredentials,
} from '@gateway/call-contract';
import type { ServerTool } from '@gateway/catalog';
import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import type { Connection } from '../connection/connection.ts';
import type { ConnectionAuthority, HealthReport } from '../connection/server-link.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type {
  OutgoingRequest,
  RequestConnection,
  SessionAnswer,
} from '../requests/outgoing-requests.ts';
import type { DownstreamError, RequestPeer } from '../requests/requests.ts';
import type { ServerRefusal } from '../wire/http/server-exchange.ts';
import { formatSafeLine } from '../wire/reason.ts';
import {
  createFailure,
  type RequestFailure,
  type RequestOutcome,
  UNAUTHORIZED,
} from '../wire/request-outcome.ts';
import type { AttemptSeries, SessionRenewals } from './attempts.ts';
import { INITIAL_STATE, type MachineEvent, type MachineState, toStatusState } from './machine.ts';

export type CredentialProblem = Extract<CredentialOutcome, { readonly ok: false }>;

interface AuthorityOptions {
  readonly credentials: ServerCredentials;
  readonly server: () => McpServer;
  readonly principal: () => Principal;
  readonly now: () => number;
  /** The server refused the credential, and there is no other one. Not called for a missing scope, which concerns one request. */
  readonly onProblem: (problem: CredentialProblem) => void;
}

/** Minimum time between two renewals when the server refuses each renewed credential, in milliseconds. */
const PAUSE_MS = 60_000;

const REFUSED: CredentialProblem = {
  ok: false,
  code: 'sign-in-again',
  reason: 'the server refuses the sign-in',
};

export class UserAuthority implements ConnectionAuthority {
  readonly #options: AuthorityOptions;
  #credential: Credential | undefined;
  #problem: CredentialProblem | undefined;
  #renewed: { readonly id: string; readonly at: number } | undefined;
  #renewing: Promise<boolean> | undefined;

  constructor(options: AuthorityOptions) {
    this.#options = options;
  }

  get problem(): CredentialProblem | undefined {
    return this.#problem;
  }

  /** Gets the present credential for the next requests; synchronously when it is in memory. */
  acquire(): CredentialOutcome | Promise<CredentialOutcome> {
    const { credentials, server, principal } = this.#options;
    const outcome = credentials.current(server(), principal());
    if ('then' in outcome) return outcome.then((settled) => this.#take(settled));
    return this.#take(outcome);
  }

  authorization(): string | undefined {
    return this.#credential?.authorization;
  }

  listSecrets(): readonly string[] {
    const value = this.#credential?.authorization;
    return value === undefined ? [] : [value, value.replace(/^\S+\s+/, '')];
  }

  renew(refusal: ServerRefusal): Promise<boolean> {
    const credential = this.#credential;
    if (credential === undefined) return Promise.resolve(false);
    // Another request has renewed the credential meanwhile.
    if (refusal.authorization !== credential.authorization) return Promise.resolve(true);
    if (refusal.status === UNAUTHORIZED && this.#isFresh(credential)) {
      this.#problem = REFUSED;
      return Promise.resolve(false);
    }
    this.#renewing ??= this.#renew(credential, refusal).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  onRefused({ status }: ServerRefusal): void {
    this.#problem ??= REFUSED;
    if (status === UNAUTHORIZED) this.#options.onProblem(this.#problem);
  }

  async #renew(credential: Credential, { status, challenge }: ServerRefusal): Promise<boolean> {
    const { credentials, server, principal, now } = this.#options;
    const rejection = { status, challenge, credential };
    const outcome = this.#take(await credentials.renewRejected(server(), principal(), rejection));
    if (outcome.ok) this.#renewed = { id: outcome.credential.id, at: now() };
    return outcome.ok;
  }

  #take(outcome: CredentialOutcome): CredentialOutcome {
    if (outcome.ok) {
      this.#credential = outcome.credential;
      this.#problem = undefined;
    } else this.#problem = outcome;
    return outcome;
  }

  #isFresh({ id }: Credential): boolean {
    const renewed = this.#renewed;
    return renewed?.id === id && this.#options.now() - renewed.at < PAUSE_MS;
  }
}

interface UseObserver {
  readonly onUse: () => void;
  readonly onAuthorized: () => void;
  readonly onProblem: (problem: CredentialProblem) => void;
}

const FORBIDDEN = 403;

const toFailure = ({ code, reason }: CredentialProblem): RequestFailure =>
  code === 'unavailable' ? { kind: 'lost', reason } : { kind: 'unauthorized', reason };

/** Returns a caller with the identity of its client session, to which the questions of the server belong while several of its calls run. */
const withIdentity = (caller: Caller, client: string): Caller =>
  withOverrides(caller, { identity: client, client });

/** A connection as its owner uses it: counts the calls on it, and sends each request with the credential of the owner. */
export class OwnedConnection implements RequestConnection {
  readonly connection: Connection;
  readonly #client: string | undefined;
  readonly #authority: UserAuthority | undefined;
  readonly #observer: UseObserver | undefined;
  #calls = 0;
  readonly #waiting: (() => void)[] = [];
  #ended: CredentialProblem | undefined;

  /**
   * @param client the client session that owns the connection
   * @param authority absent when requests carry no user's credential
   */
  constructor(
    connection: Connection,
    client: string | undefined,
    authority: UserAuthority | undefined,
    observer: UseObserver | undefined,
  ) {
    this.connection = connection;
    this.#client = client;
    this.#authority = authority;
    this.#observer = observer;
  }

  get era(): RequestConnection['era'] {
    return this.connection.era;
  }

  get features(): RequestConnection['features'] {
    return this.connection.features;
  }

  get resources(): Connection['resources'] {
    return this.connection.resources;
  }

  get isIdle(): boolean {
    return this.#calls === 0;
  }

  enter(): void {
    this.#calls += 1;
    this.#observer?.onUse();
  }

  leave(): void {
    this.#calls -= 1;
    if (this.isIdle) for (const resolve of this.#waiting.splice(0)) resolve();
    this.#observer?.onUse();
  }

  /** Resolves when no call uses the connection. */
  waitUntilUnused(): Promise<void> {
    return this.isIdle
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#waiting.push(resolve);
        });
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  request(request: OutgoingRequest): Promise<RequestOutcome> {
    const authority = this.#authority;
    const client = this.#client;
    const { options } = request;
    const sent =
      client === undefined || options?.caller === undefined
        ? request
        : { ...request, options: { ...options, caller: withIdentity(options.caller, client) } };
    if (authority === undefined) return this.connection.request(sent);
    this.enter();
    const credential = authority.acquire();
    const outcome =
      'then' in credential
        ? credential.then((settled) => this.#send(authority, settled, sent))
        : this.#send(authority, credential, sent);
    return outcome.finally(() => this.leave());
  }

  /** Names the reason why the requests that run have no result. */
  endFor(problem: CredentialProblem): void {
    this.#ended ??= problem;
  }

  async #send(
    authority: UserAuthority,
    credential: CredentialOutcome,
    request: OutgoingRequest,
  ): Promise<RequestOutcome> {
    if (!credential.ok) {
      this.#observer?.onProblem(credential);
      return createFailure(toFailure(credential));
    }
    const outcome = await this.connection.request(request);
    if (!outcome.ok) return createFailure(this.#explainFailure(authority, outcome.failure));
    this.#observer?.onAuthorized();
    return outcome;
  }

  #explainFailure(authority: UserAuthority, failure: RequestFailure): RequestFailure {
    if (failure.kind === 'lost' && this.#ended !== undefined) return toFailure(this.#ended);
    const { problem } = authority;
    const isRefused =
      failure.kind === 'lost' &&
      (failure.httpStatus === UNAUTHORIZED || failure.httpStatus === FORBIDDEN);
    if (isRefused && problem !== undefined) return toFailure(problem);
    const clean = (text: string): string => formatSafeLine(text, authority.listSecrets());
    if (failure.kind === 'session-refused')
      return { ...failure, answer: removeSecrets(failure.answer, clean) };
    if (failure.kind !== 'lost' && failure.kind !== 'invalid' && failure.kind !== 'not-given')
      return failure;
    return { ...failure, reason: clean(failure.reason) };
  }
}

const removeSecrets = (answer: SessionAnswer, clean: (text: string) => string): SessionAnswer =>
  answer.kind === 'refused'
    ? { ...answer, message: clean(answer.message) }
    : { ...answer, reason: clean(answer.reason), text: clean(answer.text ?? '') };

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

/** The server of a shared connection, which follows what happens to it. Not `Supervisor` itself, which is built on the table. */
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

/** All owners, each with its connections by server. */
export class ConnectionTable {
  /** By kind and key, the least recent request first. */
  readonly #owners: Readonly<Record<OwnerKind, Map<string, ConnectionOwner>>> = {
    shared: new Map(),
    user: new Map(),
    session: new Map(),
  };
  readonly shared = createOwner('shared', '', ANONYMOUS);

  findOwner(kind: OwnerKind, key: string): ConnectionOwner | undefined {
    return this.#owners[kind].get(key);
  }

  listOwners(kind: OwnerKind): readonly ConnectionOwner[] {
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

  openRow(owner: ConnectionOwner, server: string): ConnectionRow {
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

/** A server as the requests of one user or client session reach it. */
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

/** Follows the rows of users and client sessions, and gives them credentials. Not `UserConnections` itself, which opens connections. */
export interface RowListener {
  /** Returns the credential of the requests of a row; `undefined` when they carry none. */
  createAuthority(row: ConnectionRow): UserAuthority | undefined;
  onRowChanged(row: ConnectionRow): void;
  onProblem(row: ConnectionRow, problem: CredentialProblem): void;
  onAuthorized(row: ConnectionRow): void;
}
