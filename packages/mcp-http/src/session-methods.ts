import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Settled } from './exchange.ts';
import { errorMessage, notificationMessage, resultMessage, RPC_CODE } from './json-rpc.ts';
import type { McpHttpLimits } from './limits.ts';
import { isLogLevel } from './log-level.ts';
import type { McpService } from './mcp-service.ts';
import type { PeerBus } from './peer-bus.ts';
import type { ScopedRequest } from './request-scope.ts';
import type { SessionChannels } from './session-channels.ts';
import type { Session, SessionStore } from './session-store.ts';

/** What the methods of sessions work on. */
export interface SessionMethodsParts {
  readonly service: McpService;
  readonly sessions: SessionStore;
  readonly channels: SessionChannels;
  readonly bus: PeerBus;
  readonly limits: McpHttpLimits;
}

/** The methods of 2025-era clients that set something for their session: the level of log messages, and subscriptions. */
export class SessionMethods {
  readonly #parts: SessionMethodsParts;

  constructor(parts: SessionMethodsParts) {
    this.#parts = parts;
    this.#hearPeers();
  }

  /** Answers a method of sessions; `undefined`: no such method, as what the service can do now has it. */
  answer(scoped: ScopedRequest): Settled | Promise<Settled> | undefined {
    const { service } = this.#parts;
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

  #hearPeers(): void {
    const { bus, sessions } = this.#parts;
    bus.on('session-level', ({ session: id, level }) => {
      const session = sessions.use(String(id));
      if (session !== undefined && isLogLevel(level)) session.logLevel = level;
    });
    bus.on('unsubscribed', ({ session: id, uri }) => {
      const session = sessions.peek(String(id));
      if (session !== undefined) release(session, String(uri));
    });
  }

  #setLevel({ request, scope: { session } }: ScopedRequest): Settled {
    const level = request.params?.['level'];
    if (!isLogLevel(level)) return invalid(request, 'params.level must be a level of log messages');
    if (session !== undefined) {
      session.logLevel = level;
      this.#parts.bus.tell('session-level', { session: session.id, level });
    }
    return done(request);
  }

  async #subscribe({ request, scope }: ScopedRequest): Promise<Settled> {
    const { session, header } = scope;
    const { service, channels, limits, sessions } = this.#parts;
    const uri = request.params?.['uri'];
    if (typeof uri !== 'string') return invalid(request, 'params.uri must be a string');
    if (session === undefined) return invalid(request, 'A subscription needs a session');
    const subscriptions = (session.subscriptions ??= new Map());
    if (subscriptions.has(uri)) return done(request);
    const limit = limits.maxSubscriptions;
    if (subscriptions.size >= limit) {
      return invalid(request, `Too many subscriptions: the limit of ${limit} is reached`);
    }
    const place = new Subscription();
    subscriptions.set(uri, place.end);
    const onUpdated = (params: object): void => {
      const message = notificationMessage('notifications/resources/updated', { ...params, uri });
      channels.tell(session, message);
    };
    const answer = await service.subscribe?.(uri, onUpdated, { sessionId: session.id, header });
    if (answer?.ok === true) {
      place.fill(answer.end);
      if (sessions.peek(session.id) !== session) release(session, uri);
      return done(request);
    }
    if (subscriptions.get(uri) === place.end) subscriptions.delete(uri);
    const error = answer?.error ?? { code: RPC_CODE.methodNotFound, message: 'Method not found' };
    return { message: errorMessage(request.id, error), status: 200 };
  }

  #unsubscribe({ request, scope: { session } }: ScopedRequest): Settled {
    const uri = request.params?.['uri'];
    if (typeof uri !== 'string') return invalid(request, 'params.uri must be a string');
    if (session !== undefined && !release(session, uri)) {
      this.#parts.bus.tell('unsubscribed', { session: session.id, uri });
    }
    return done(request);
  }
}

/** The place of a subscription that may be ended before it is there. */
class Subscription {
  #end: (() => void) | undefined;
  #isOver = false;

  readonly end = (): void => {
    this.#isOver = true;
    this.#end?.();
    this.#end = undefined;
  };

  fill(end: () => void): void {
    if (this.#isOver) end();
    else this.#end = end;
  }
}

const release = ({ subscriptions }: Session, uri: string): boolean => {
  const end = subscriptions?.get(uri);
  subscriptions?.delete(uri);
  end?.();
  return end !== undefined;
};

const done = ({ id }: JSONRPCRequest): Settled => ({
  message: resultMessage(id, '{}'),
  status: 200,
});

const invalid = ({ id }: JSONRPCRequest, message: string): Settled => ({
  message: errorMessage(id, { code: RPC_CODE.invalidParams, message }),
  status: 200,
});
