import { RPC_CODE } from '@gateway/call-contract';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { SettledResponse } from '../protocol/response-sink.ts';
import { errorMessage, notificationMessage, resultMessage } from '../protocol/json-rpc.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { isLogLevel } from '../protocol/log-level.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import type { PeerBus } from '../peers/peer-bus.ts';
import type { SessionRequest } from './session-scope.ts';
import { ResourceSubscriptions } from '../changes/resource-subscriptions.ts';
import type { SessionChannels } from './session-channels.ts';
import type { Session, SessionStore } from './session-store.ts';

/** The dependencies of {@link SessionMethods}. */
export interface SessionMethodsDependencies {
  readonly service: McpService;
  readonly sessions: SessionStore;
  readonly channels: SessionChannels;
  readonly bus: PeerBus;
  readonly limits: McpHttpLimits;
}

/** The methods of 2025-era clients that set something for their session: the level of log messages, and subscriptions. */
export class SessionMethods {
  readonly #dependencies: SessionMethodsDependencies;

  constructor(dependencies: SessionMethodsDependencies) {
    this.#dependencies = dependencies;
    this.#listenToPeers();
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
    bus.on('unsubscribed', ({ session: id, uri }) => {
      sessions.peek(String(id))?.subscriptions?.remove(String(uri), GROUP);
    });
  }

  #setLevel({ request, scope: { session } }: SessionRequest): SettledResponse {
    const level = request.params?.['level'];
    if (!isLogLevel(level)) return invalid(request, 'params.level must be a level of log messages');
    if (session !== undefined) {
      session.logLevel = level;
      this.#dependencies.bus.send('session-level', { session: session.id, level });
    }
    return done(request);
  }

  async #subscribe({ request, scope }: SessionRequest): Promise<SettledResponse> {
    const { session, principal, header } = scope;
    const uri = request.params?.['uri'];
    if (typeof uri !== 'string') return invalid(request, 'params.uri must be a string');
    if (session === undefined) return invalid(request, 'A subscription needs a session');
    const subscriptions = (session.subscriptions ??= this.#subscriptionsOf(session));
    const context = { principal, sessionId: session.id, header };
    const error = await subscriptions.add(uri, { group: GROUP, context });
    // The session may have ended while the service was asked.
    if (this.#dependencies.sessions.peek(session.id) !== session) subscriptions.close();
    return error === undefined
      ? done(request)
      : { message: errorMessage(request.id, error), status: 200 };
  }

  #subscriptionsOf(session: Session): ResourceSubscriptions {
    const { service, channels, limits } = this.#dependencies;
    return new ResourceSubscriptions({
      service,
      maxSubscriptions: limits.maxSubscriptions,
      onUpdated: (params) => {
        const message = notificationMessage('notifications/resources/updated', params);
        channels.send(session, message);
      },
    });
  }

  #unsubscribe({ request, scope: { session } }: SessionRequest): SettledResponse {
    const uri = request.params?.['uri'];
    if (typeof uri !== 'string') return invalid(request, 'params.uri must be a string');
    if (session !== undefined && session.subscriptions?.remove(uri, GROUP) !== true) {
      this.#dependencies.bus.send('unsubscribed', { session: session.id, uri });
    }
    return done(request);
  }
}

/** The group of the subscriptions that a session makes one by one. */
const GROUP = 'session';

const done = ({ id }: JSONRPCRequest): SettledResponse => ({
  message: resultMessage(id, '{}'),
  status: 200,
});

const invalid = ({ id }: JSONRPCRequest, message: string): SettledResponse => ({
  message: errorMessage(id, { code: RPC_CODE.invalidParams, message }),
  status: 200,
});
