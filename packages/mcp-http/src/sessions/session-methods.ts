import { RPC_CODE } from '@gateway/call-contract';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { SettledResponse } from '../protocol/response-sink.ts';
import { errorMessage, resultMessage } from '../protocol/json-rpc.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { isLogLevel } from '../protocol/log-level.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import type { PeerBus } from '../peers/peer-bus.ts';
import type { SessionRequest } from './session-scope.ts';
import type { SessionChannels } from './session-channels.ts';
import { SessionFollows } from './session-follows.ts';
import type { SharedSessions } from './shared-sessions.ts';
import type { SessionStore } from './session-store.ts';
import type { Session } from './session.ts';

/** The dependencies of {@link SessionMethods}. */
export interface SessionMethodsDependencies {
  readonly service: McpService;
  readonly sessions: SessionStore;
  readonly channels: SessionChannels;
  readonly bus: PeerBus;
  readonly limits: McpHttpLimits;
  readonly shared: SharedSessions | undefined;
}

/** The methods of 2025-era clients that set something for their session: the level of log messages, and subscriptions. */
export class SessionMethods {
  readonly #dependencies: SessionMethodsDependencies;
  readonly #follows: SessionFollows;

  constructor(dependencies: SessionMethodsDependencies) {
    this.#dependencies = dependencies;
    this.#follows = new SessionFollows(dependencies);
    this.#listenToPeers();
  }

  /** Follows what a session follows by its record; for a session that has a new stream in this process. */
  restore(session: Session, hasMissed: boolean): Promise<void> {
    return this.#follows.restore(session, hasMissed);
  }

  /** Answers a method of sessions. Returns `undefined` for a method that the service does not have now. */
  answer(scoped: SessionRequest): SettledResponse | Promise<SettledResponse> | undefined {
    const { service } = this.#dependencies;
    const { logging, resources } = service.capabilities;
    const canSubscribe = resources?.subscribe === true && service.subscribe !== undefined;
    switch (scoped.request.method) {
      case 'logging/setLevel':
        return logging === undefined ? undefined : this.#setLevel(scoped);
      case 'resources/subscribe':
        return canSubscribe ? this.#subscribe(scoped) : undefined;
      case 'resources/unsubscribe':
        return canSubscribe ? this.#unsubscribe(scoped) : undefined;
      default:
        return undefined;
    }
  }

  #listenToPeers(): void {
    const { bus, sessions } = this.#dependencies;
    bus.on('session-level', ({ session: id, level }) => {
      const session = sessions.use(String(id));
      if (session !== undefined && isLogLevel(level)) session.logLevel = level;
    });
  }

  #setLevel({ request, scope: { session } }: SessionRequest): SettledResponse {
    const level = request.params?.['level'];
    if (!isLogLevel(level)) return invalid(request, 'params.level must be a level of log messages');
    if (session !== undefined) {
      session.logLevel = level;
      void this.#dependencies.shared?.setLogLevel(session, level);
      this.#dependencies.bus.send('session-level', { session: session.id, level });
    }
    return done(request);
  }

  async #subscribe({ request, scope }: SessionRequest): Promise<SettledResponse> {
    const { session, principal, header } = scope;
    const uri = request.params?.['uri'];
    if (typeof uri !== 'string') return invalid(request, 'params.uri must be a string');
    if (session === undefined) return invalid(request, 'A subscription needs a session');
    const error = await this.#follows.add(session, uri, { principal, header });
    return error === undefined
      ? done(request)
      : { message: errorMessage(request.id, error), status: 200 };
  }

  async #unsubscribe({ request, scope: { session } }: SessionRequest): Promise<SettledResponse> {
    const uri = request.params?.['uri'];
    if (typeof uri !== 'string') return invalid(request, 'params.uri must be a string');
    if (session !== undefined) await this.#follows.remove(session, uri);
    return done(request);
  }
}

const done = ({ id }: JSONRPCRequest): SettledResponse => ({
  message: resultMessage(id, '{}'),
  status: 200,
});

const invalid = ({ id }: JSONRPCRequest, message: string): SettledResponse => ({
  message: errorMessage(id, { code: RPC_CODE.invalidParams, message }),
  status: 200,
});
