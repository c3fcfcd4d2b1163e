/* eslint-disable @typescript-eslint/no-deprecated -- the object that replaces it checks results and drops unknown keys */
import { ANONYMOUS, type JsonObject, RPC_CODE } from '@gateway/call-contract';
import { Server, type JSONRPCRequest } from '@modelcontextprotocol/server';
import { ConnectionCalls, eraOf, type Handed } from './connection-calls.ts';
import { protocolError, type MessageTexts } from './connection-sink.ts';
import { DEFAULT_MCP_HTTP_LIMITS, type McpHttpLimits } from '../protocol/limits.ts';
import { LIST_MEMBER, listResult } from '../protocol/list-text.ts';
import { LIST_CHANGED, ListWatch, watchableLists } from '../changes/list-watch.ts';
import { isLogLevel } from '../protocol/log-level.ts';
import type {
  CallMethod,
  ListAnswer,
  ListMethod,
  McpService,
  RequestContext,
} from '../protocol/mcp-service.ts';
import { CAPABILITY_OF, type Era } from '../protocol/protocol-results.ts';
import type { HeaderReader } from '../protocol/request-headers.ts';
import { ResourceSubscriptions } from '../changes/resource-subscriptions.ts';
import { INTERNAL_ERROR } from '../protocol/responses.ts';

/** The substitute for the headers of an HTTP request. */
export interface ProtocolServerOptions {
  /** Answers `RequestContext.header`. */
  readonly header?: HeaderReader;
  /** `RequestContext.sessionId` of every request. */
  readonly sessionId?: string;
  readonly limits?: Partial<McpHttpLimits>;
  /** Called with errors that callers receive as an internal error. */
  readonly onError?: (error: unknown) => void;
  /** The texts of the messages, on a connection that keeps them. */
  readonly texts?: MessageTexts;
}

/**
 * Creates the SDK's server object over a service, for a transport that carries one connection. The service's methods use its
 * fallback handler, because its own handlers validate results and drop unknown members.
 */
export const createProtocolServer = (
  service: McpService,
  options: ProtocolServerOptions = {},
): Server => new Connection(service, options).server;

/** A server object together with the resource subscriptions of its client. */
export interface ConnectedServer {
  readonly server: Server;
  /** Subscribes a group to resources; resources that the service refuses are omitted. */
  readonly follow: (uris: readonly string[], group: string) => void;
  readonly unfollow: (group: string) => void;
}

/** Creates the SDK's server object, and the subscriptions for a transport that receives them before the object does. */
export const connectService = (
  service: McpService,
  options: ProtocolServerOptions,
): ConnectedServer => new Connection(service, options);

/** The group of the subscriptions that a 2025-era client makes one by one. */
const OWN_GROUP = 'resources/subscribe';

const isListMethod = (method: string): method is ListMethod => Object.hasOwn(LIST_MEMBER, method);

/** One connection of the SDK's server object. */
class Connection implements ConnectedServer {
  readonly server: Server;
  readonly #subscriptions: ResourceSubscriptions;
  readonly #service: McpService;
  readonly #context: RequestContext;
  readonly #calls: ConnectionCalls;
  readonly #onError: (error: unknown) => void;
  #unwatch: (() => void) | undefined;
  #isClosed = false;

  constructor(service: McpService, options: ProtocolServerOptions) {
    const { header = () => undefined, sessionId, onError = () => undefined, texts } = options;
    const limits = { ...DEFAULT_MCP_HTTP_LIMITS, ...options.limits };
    this.#service = service;
    this.#context = { principal: ANONYMOUS, sessionId, header };
    this.#onError = onError;
    this.server = new Server(service.info, {
      capabilities: service.capabilities,
      ...(service.instructions !== undefined && { instructions: service.instructions }),
    });
    const { server } = this;
    this.#calls = new ConnectionCalls({
      ...{ service, server, limits, header, sessionId, onError, texts },
    });
    this.#subscriptions = new ResourceSubscriptions({
      service,
      maxSubscriptions: limits.maxSubscriptions,
      onUpdated: (params) => this.#notify('notifications/resources/updated', params),
    });
    this.#serve();
  }

  readonly follow = (uris: readonly string[], group: string): void => {
    if (!this.#canSubscribe) return;
    const context = this.#context;
    for (const uri of uris) this.#subscriptions.add(uri, { group, context }).catch(this.#onError);
  };

  readonly unfollow = (group: string): void => this.#subscriptions.removeGroup(group);

  #serve(): void {
    const { server } = this;
    if (this.#service.capabilities.logging !== undefined) {
      server.setRequestHandler('logging/setLevel', ({ params: { level } }) => {
        if (isLogLevel(level)) this.#calls.logLevel = level;
        return {};
      });
    }
    server.fallbackRequestHandler = async (request, context) => {
      this.#watchLists();
      return this.#answer({ request, context });
    };
    server.oninitialized = () => this.#watchLists();
    server.onclose = () => {
      this.#isClosed = true;
      this.#unwatch?.();
      this.#subscriptions.close();
      this.#calls.close();
    };
  }

  async #answer(handed: Handed): Promise<JsonObject> {
    const { request } = handed;
    const { method } = request;
    if (this.#canSubscribe && method === 'resources/subscribe') return this.#subscribe(request);
    if (this.#canSubscribe && method === 'resources/unsubscribe') {
      this.#subscriptions.remove(uriOf(request), OWN_GROUP);
      return {};
    }
    if (!this.#isServed(method)) throw protocolError(METHOD_NOT_FOUND);
    return isListMethod(method)
      ? this.#list(method, eraOf(handed))
      : this.#calls.call(method as CallMethod, handed);
  }

  get #canSubscribe(): boolean {
    return this.#service.capabilities.resources?.subscribe === true;
  }

  #isServed(method: string): boolean {
    if (!Object.hasOwn(CAPABILITY_OF, method)) return false;
    const capability = CAPABILITY_OF[method as CallMethod | ListMethod];
    return this.#service.capabilities[capability] !== undefined;
  }

  #list(method: ListMethod, era: Era): JsonObject {
    const answer = this.#listed(method);
    if (!answer.ok) throw protocolError(answer.error);
    return listResult(method, answer.items, era);
  }

  #listed(method: ListMethod): ListAnswer {
    try {
      return this.#service.list(method, this.#context);
    } catch (error) {
      this.#onError(error);
      return { ok: false, error: INTERNAL_ERROR };
    }
  }

  async #subscribe(request: JSONRPCRequest): Promise<JsonObject> {
    const context = this.#context;
    const error = await this.#subscriptions.add(uriOf(request), { group: OWN_GROUP, context });
    if (error !== undefined) throw protocolError(error);
    return {};
  }

  /** Announces changed lists from the first message of the client on. */
  #watchLists(): void {
    if (this.#unwatch !== undefined || this.#isClosed) return;
    this.#unwatch = new ListWatch(this.#service, this.#onError).add({
      context: this.#context,
      kinds: watchableLists(this.#service),
      onChanged: (kind) => this.#notify(LIST_CHANGED[kind], {}),
    });
  }

  #notify(method: string, params: JsonObject): void {
    this.server.notification({ method, params: { ...params } }).catch(() => undefined);
  }
}

const METHOD_NOT_FOUND = { code: RPC_CODE.methodNotFound, message: 'Method not found' };

const uriOf = ({ params }: JSONRPCRequest): string => {
  const uri = params?.['uri'];
  if (typeof uri === 'string') return uri;
  throw protocolError({ code: RPC_CODE.invalidParams, message: 'params.uri must be a string' });
};
