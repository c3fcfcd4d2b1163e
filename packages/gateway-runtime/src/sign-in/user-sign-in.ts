import { ANONYMOUS, type AuthenticationOutcome, type Principal } from '@gateway/call-contract';
import type { LoginOutcome, LogoutOutcome, SignInPort, SignInState } from '@gateway/core-tools';
import type { McpServer } from '@gateway/crd-schemas';
import type { Downstream } from '@gateway/downstream';
import type { DownstreamAuth } from '@gateway/downstream-auth';
import type { AttemptLimit } from './server-sign-in.ts';
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RequestAuthenticator } from '@gateway/mcp-http';

/** The result of a request to sign in to a server, or the end of a sign-in in a browser. */
type SignInResult = LoginOutcome['kind'] | 'completed';

/** Receives the results of sign-ins to servers, for metrics. */
export type SignInObserver = (result: SignInResult) => void;

/** A user at a server. */
interface UserAtServer {
  readonly server: string;
  readonly principalKey: string;
}

interface Started extends UserAtServer {
  readonly ended: Promise<boolean>;
  readonly end: (isCompleted: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/** Time that a user has for a sign-in, in milliseconds. */
const SIGN_IN_MS = 10 * 60_000;

/** Maximum number of sign-ins whose end is reported; the oldest counts as expired. */
const MAX_STARTED = 10_000;

/** The sign-ins that wait for a browser, to report their ends. Their ids admit nothing. */
export class StartedSignIns {
  readonly #started = new LRUCache<string, Started>({
    // Not `max`, for which the library reserves memory.
    maxSize: MAX_STARTED,
    sizeCalculation: () => 1,
    dispose: ({ end, timer }) => {
      clearTimeout(timer);
      end(false);
    },
  });

  /** Records a started sign-in and returns its id. */
  add(user: UserAtServer): string {
    const id = randomUUID();
    let end = (_isCompleted: boolean): void => undefined;
    const ended = new Promise<boolean>((resolve) => {
      end = resolve;
    });
    const timer = setTimeout(() => this.#started.delete(id), SIGN_IN_MS).unref();
    this.#started.set(id, { ...user, ended, end, timer });
    return id;
  }

  /** Returns whether a sign-in of a user to a server waits for a browser. */
  isWaiting(user: UserAtServer): boolean {
    return this.#find(user).length > 0;
  }

  /** Ends the sign-ins of a user to a server: the browser has completed one. */
  complete(user: UserAtServer): void {
    for (const [id, { end }] of this.#find(user)) {
      end(true);
      this.#started.delete(id);
    }
  }

  /** Resolves with `true` when a sign-in was completed, with `false` when it expired or is unknown. */
  waitForEnd(id: string): Promise<boolean> {
    return this.#started.peek(id)?.ended ?? Promise.resolve(false);
  }

  close(): void {
    this.#started.clear();
  }

  #find({ server, principalKey }: UserAtServer): readonly (readonly [string, Started])[] {
    return [...this.#started.entries()].filter(
      ([, one]) => one.server === server && one.principalKey === principalKey,
    );
  }
}

interface UserSignInOptions {
  readonly auth: Pick<DownstreamAuth, 'login' | 'logout' | 'credentials' | 'status'>;
  readonly downstream: Pick<
    Downstream,
    'servers' | 'userServers' | 'connectUser' | 'disconnectUser'
  >;
  readonly observer: SignInObserver;
  readonly attempts: Pick<AttemptLimit, 'take' | 'reset'>;
}

type Challenge = Extract<Awaited<ReturnType<DownstreamAuth['login']>>, { code: 'challenge' }>;

const REMEDY =
  'Set http.publicUrl in config.yaml to the URL at which browsers reach the gateway. Credentials that everybody shares can stand in spec.headers of the MCPServer.';

const UNKNOWN: LoginOutcome = { kind: 'failed', reason: 'the server is gone' };

/** The sign-in of users to servers: what a user signs in to is connected, and what they sign out of is disconnected. */
export class UserSignIn implements SignInPort {
  readonly #options: UserSignInOptions;
  readonly #started = new StartedSignIns();
  readonly #stopListening: () => void;
  /** The connections that completed sign-ins open, by the key of the user. */
  readonly #connecting = new Map<string, Promise<void>>();

  constructor(options: UserSignInOptions) {
    this.#options = options;
    this.#stopListening = options.auth.credentials.onChange(({ server, principalKey }) => {
      const user = { server, principalKey };
      if (this.#started.isWaiting(user)) this.#follow(principalKey, this.#connectChanged(user));
    });
  }

  readonly findState = (server: string, principal: Principal): SignInState | undefined => {
    const { downstream } = this.#options;
    const found = downstream.userServers(principal).find((one) => one.server === server);
    if (found === undefined) return undefined;
    const { status, kind, reason, toolsCount, listWarnings } = found;
    const isAutomatic = kind === 'sso';
    const more = {
      ...(reason !== undefined && { reason }),
      ...(listWarnings !== undefined && { listWarnings }),
    };
    return { server, status, isAutomatic, toolsCount, ...more };
  };

  readonly login = async (server: string, principal: Principal): Promise<LoginOutcome> => {
    const outcome = await this.#login(server, principal);
    if (outcome.kind === 'connected') await this.#options.attempts.reset(principal.key);
    this.#options.observer(outcome.kind);
    return outcome;
  };

  readonly logout = async (server: string, principal: Principal): Promise<LogoutOutcome> => {
    const { auth, downstream } = this.#options;
    const definition = this.#findDefinition(server);
    if (definition === undefined) return { kind: 'not-signed-in' };
    const outcome = await auth.logout(definition, principal);
    switch (outcome.code) {
      case 'signed-out':
        downstream.disconnectUser(server, principal);
        return { kind: 'signed-out' };
      case 'failed':
        return { kind: 'failed', reason: outcome.reason };
      case 'not-signed-in':
      case 'not-required':
      case 'sso':
        return { kind: 'not-signed-in' };
    }
  };

  /** Returns an address at which a user signs in to a server; `undefined` when there is none. */
  readonly createLink = async (
    server: string,
    principal: Principal,
  ): Promise<string | undefined> => {
    const outcome = await this.login(server, principal);
    return outcome.kind === 'challenge' ? outcome.url : undefined;
  };

  /** Resolves when the servers are connected that a user has just signed in to; `undefined` when there is none. */
  readonly waitForConnections = (principalKey: string): Promise<void> | undefined =>
    this.#connecting.get(principalKey);

  readonly waitForCompletion = (id: string): Promise<boolean> => this.#started.waitForEnd(id);

  close(): void {
    this.#stopListening();
    this.#started.close();
  }

  async #login(server: string, principal: Principal): Promise<LoginOutcome> {
    const definition = this.#findDefinition(server);
    if (definition === undefined) return UNKNOWN;
    if (await this.#isComplete(server, principal)) return { kind: 'signed-in' };
    const attempt = await this.#options.attempts.take(principal.key);
    if (!attempt.ok) {
      const { limit, remaining, retryAfterSeconds } = attempt;
      return { kind: 'rate-limited', limit, remaining, retryAfterSeconds };
    }
    const outcome = await this.#options.auth.login(definition, principal);
    return outcome.code === 'signed-in'
      ? this.#connect(definition, principal)
      : this.#toLoginOutcome(server, principal, outcome);
  }

  /** Returns whether a user is connected and the server has required no further scopes since. */
  async #isComplete(server: string, principal: Principal): Promise<boolean> {
    if (this.findState(server, principal)?.status !== 'connected') return false;
    const signIns = await this.#options.auth.status(principal);
    const found = signIns.find((one) => one.server === server);
    return found?.status !== 'sign-in-again';
  }

  /** A server that refuses the token of an earlier sign-in requires another one. */
  async #connect(definition: McpServer, principal: Principal): Promise<LoginOutcome> {
    const { auth, downstream } = this.#options;
    const { name } = definition.metadata;
    const connected = await downstream.connectUser(name, principal);
    if (connected.code === 'connected') return { kind: 'connected', toolsCount: connected.tools };
    if (connected.code !== 'auth-required')
      return {
        kind: 'connect-failed',
        reason: 'reason' in connected ? connected.reason : 'the server is gone',
      };
    const again = await auth.login(definition, principal);
    return again.code === 'signed-in'
      ? { kind: 'connect-failed', reason: connected.reason }
      : this.#toLoginOutcome(name, principal, again);
  }

  #toLoginOutcome(
    server: string,
    { key: principalKey }: Principal,
    outcome: Exclude<Awaited<ReturnType<DownstreamAuth['login']>>, { code: 'signed-in' }>,
  ): LoginOutcome {
    switch (outcome.code) {
      case 'challenge':
        return this.#challenge(outcome, { server, principalKey });
      case 'not-configured':
        return { kind: 'not-configured', remedy: REMEDY };
      case 'metadata-missing':
        return {
          kind: 'no-metadata',
          ...(outcome.problem !== undefined && { problem: outcome.problem }),
        };
      case 'failed':
        return { kind: 'failed', reason: outcome.reason };
      case 'not-required':
      case 'sso':
        return { kind: 'failed', reason: 'its definition has changed; try again' };
    }
  }

  #challenge(
    { url, reason }: Challenge,
    user: { readonly server: string; readonly principalKey: string },
  ): LoginOutcome {
    return { kind: 'challenge', url, id: this.#started.add(user), status: reason };
  }

  #follow(principalKey: string, connecting: Promise<void>): void {
    const all = Promise.all([this.#connecting.get(principalKey), connecting]).then(() => {
      if (this.#connecting.get(principalKey) === all) this.#connecting.delete(principalKey);
    });
    this.#connecting.set(principalKey, all);
  }

  /** Connects a user whose browser has completed a sign-in that this process started. Never rejects. */
  async #connectChanged({ server, principalKey }: UserAtServer): Promise<void> {
    const { auth, attempts, downstream } = this.#options;
    const definition = this.#findDefinition(server);
    const user: Principal = { key: principalKey, subject: '' };
    if (definition === undefined || !(await auth.credentials.current(definition, user)).ok) return;
    void attempts.reset(principalKey);
    this.#options.observer('completed');
    await downstream.connectUser(server, user).catch(() => undefined);
    this.#started.complete({ server, principalKey });
  }

  #findDefinition(server: string): McpServer | undefined {
    return this.#options.downstream.servers().find(({ name }) => name === server)?.definition;
  }
}

type Authenticate = RequestAuthenticator['authenticate'];

const SIGNED_IN: AuthenticationOutcome = { ok: true, principal: ANONYMOUS };

/** Returns the sign-in of callers that do not sign in. */
const admitAnonymous: Authenticate = () => SIGNED_IN;

/**
 * Returns a check of credentials that also connects the caller to the servers that need no further sign-in, so that the first list is
 * complete. It is synchronous when the check is and nothing is to be connected.
 */
export const prepareCallers = (
  downstream: Pick<Downstream, 'prepare'>,
  signIn: Pick<UserSignIn, 'waitForConnections'>,
  authenticate: Authenticate = admitAnonymous,
): Authenticate => {
  const prepared = (
    authenticated: AuthenticationOutcome,
  ): AuthenticationOutcome | Promise<AuthenticationOutcome> => {
    if (!authenticated.ok) return authenticated;
    const { principal } = authenticated;
    const preparing = signIn.waitForConnections(principal.key) ?? downstream.prepare(principal);
    return preparing === undefined ? authenticated : preparing.then(() => authenticated);
  };
  return (request, mayVerify) => {
    const authenticated = authenticate(request, mayVerify);
    return authenticated instanceof Promise
      ? authenticated.then(prepared)
      : prepared(authenticated);
  };
};
