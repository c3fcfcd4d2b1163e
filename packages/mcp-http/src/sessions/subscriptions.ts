import { isJsonObject, type JsonObject, RPC_CODE, type RpcError } from '@gateway/call-contract';
import {
  formatErrorMessage,
  formatNotification,
  formatResult,
  type RpcId,
  LIST_CHANGED,
  type WatchedList,
} from '@gateway/mcp-wire';
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { McpService, RequestContext } from '../protocol/mcp-service.ts';
import {
  createServiceStamp,
  formatResultText,
  type RequestScope,
  type ResultStamp,
  type ScopedRequest,
  type SettledResponse,
} from '../protocol/results.ts';
import { type ListChangeNotifier } from './list-changes.ts';

type Answer = Awaited<ReturnType<NonNullable<McpService['subscribe']>>>;

const UNSUPPORTED: Answer = {
  ok: false,
  error: { code: RPC_CODE.methodNotFound, message: 'Method not found' },
};

/** The resource subscriptions of a client, bounded in number. */
export class ClientSubscriptions {
  readonly #service: McpService;
  readonly #limit: number;
  readonly #onUpdated: (params: JsonObject) => void;
  /** Subscriptions by URI. */
  readonly #followed = new Map<string, { end: () => void }>();

  /** @param onUpdated receives the updates of a resource, with the URI under which the client follows it */
  constructor(service: McpService, limit: number, onUpdated: (params: JsonObject) => void) {
    this.#service = service;
    this.#limit = limit;
    this.#onUpdated = onUpdated;
  }

  /** Number of resources. */
  get size(): number {
    return this.#followed.size;
  }

  /** Follows a resource. Returns an error when the resource cannot be followed; rejects only on a bug of the service. */
  async add(uri: string, context: RequestContext): Promise<RpcError | undefined> {
    if (this.#followed.has(uri)) return this.#refuse(uri, context);
    if (this.#followed.size >= this.#limit) {
      const message = `Too many subscriptions: the limit of ${this.#limit} is reached`;
      return { code: RPC_CODE.invalidParams, message };
    }
    return this.#follow(uri, context);
  }

  /** Stops following a resource; `false` when the client does not follow it. */
  remove(uri: string): boolean {
    const followed = this.#followed.get(uri);
    this.#followed.delete(uri);
    followed?.end();
    return followed !== undefined;
  }

  /** Stops following all resources. */
  close(): void {
    for (const uri of [...this.#followed.keys()]) this.remove(uri);
  }

  /** Returns the error when the headers of a request forbid a resource that is already followed. */
  #refuse(uri: string, context: RequestContext): RpcError | undefined {
    const call = { method: 'resources/read', params: { uri } } as const;
    const refused = this.#service.refuseCall?.(call, context);
    return refused?.ok === false ? refused.error : undefined;
  }

  async #follow(uri: string, context: RequestContext): Promise<RpcError | undefined> {
    const followed = { end: (): void => undefined };
    this.#followed.set(uri, followed);
    const isDesired = (): boolean => this.#followed.get(uri) === followed;
    const deliver = (params: JsonObject): void => {
      if (isDesired()) this.#onUpdated({ ...params, uri });
    };
    let answer: Answer = UNSUPPORTED;
    try {
      answer = (await this.#service.subscribe?.(uri, deliver, context)) ?? UNSUPPORTED;
    } finally {
      if (!answer.ok && isDesired()) this.#followed.delete(uri);
    }
    if (!answer.ok) return answer.error;
    if (isDesired()) followed.end = answer.end;
    else answer.end();
    return undefined;
  }
}

/** The changes that a client subscribes to. */
interface Filter {
  readonly kinds: readonly WatchedList[];
  readonly uris: readonly string[];
}

const FILTER_KEY: Readonly<Record<WatchedList, string>> = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
};

/** Streams of 2026-07-28 clients that wait for changes (`subscriptions/listen`), bounded in number. */
export class ListenStreams {
  readonly #service: McpService;
  readonly #limits: McpHttpLimits;
  readonly #watch: ListChangeNotifier;
  readonly #stamp: ResultStamp;
  readonly #open = new Set<() => void>();

  constructor(service: McpService, limits: McpHttpLimits, watch: ListChangeNotifier) {
    this.#service = service;
    this.#limits = limits;
    this.#watch = watch;
    this.#stamp = createServiceStamp(service);
  }

  /** Serves one stream; the response is settled when it ends. */
  answer({ request, scope }: ScopedRequest): SettledResponse | Promise<SettledResponse> {
    const { id } = request;
    const { maxListenStreams, maxSubscriptions } = this.#limits;
    const filter = parseFilter(request.params?.['notifications']);
    if (filter === undefined)
      return createListenRefusal(id, RPC_CODE.invalidParams, INVALID_FILTER);
    if (filter.uris.length > maxSubscriptions) {
      const text = `Too many resourceSubscriptions: the limit is ${maxSubscriptions}`;
      return createListenRefusal(id, RPC_CODE.invalidParams, text);
    }
    if (this.#open.size >= maxListenStreams) {
      return createListenRefusal(id, RPC_CODE.internal, 'Subscription limit reached');
    }
    const error = this.#service.refuseHeaders?.(toContext(scope));
    if (error !== undefined) return createListenRefusal(id, error.code, error.message);
    if (!scope.sink.canStream) {
      return createListenRefusal(
        id,
        RPC_CODE.transport,
        'Accept must allow text/event-stream',
        406,
      );
    }
    return this.#listen({ request, scope }, filter);
  }

  /** Ends all streams with a result, for a graceful shutdown. */
  close(): void {
    for (const end of [...this.#open]) end();
  }

  async #listen({ request, scope }: ScopedRequest, filter: Filter): Promise<SettledResponse> {
    const { id } = request;
    const { sink } = scope;
    let end = (_isGraceful: boolean): void => undefined;
    const ended = new Promise<boolean>((resolve) => {
      end = resolve;
    });
    const close = (): void => end(true);
    const stopWatching = sink.onDisconnect(() => end(false));
    const notification = (method: string, params: JsonObject): string =>
      formatNotification(method, withSubscriptionId(params, id));
    const updates = new UpdateBuffer((update) => sink.notify(update));
    const subscriptions = new ClientSubscriptions(
      this.#service,
      this.#limits.maxSubscriptions,
      (params) =>
        updates.add(params['uri'], notification('notifications/resources/updated', params)),
    );
    this.#open.add(close);
    let unwatch = (): void => undefined;
    try {
      const context = toContext(scope);
      const uris = await this.#follow(subscriptions, filter, context);
      const kinds = this.#watch.kinds.filter((kind) => filter.kinds.includes(kind));
      const notifications = toAcknowledgedFilter(kinds, uris);
      sink.send(notification('notifications/subscriptions/acknowledged', { notifications }));
      updates.release();
      if (kinds.length === 0 && uris.length === 0) close();
      const onChanged = (kind: WatchedList): void =>
        sink.notify(notification(LIST_CHANGED[kind], {}));
      unwatch = this.#watch.add({ context, kinds, onChanged });
      return (await ended) ? this.#createResult(id) : { message: undefined, status: 200 };
    } finally {
      unwatch();
      subscriptions.close();
      stopWatching();
      this.#open.delete(close);
    }
  }

  /** Subscribes to the resources of a filter. Returns the accepted URIs. */
  async #follow(
    subscriptions: ClientSubscriptions,
    { uris }: Filter,
    context: RequestContext,
  ): Promise<readonly string[]> {
    if (this.#service.capabilities.resources?.subscribe !== true) return [];
    const followed = await Promise.all(
      [...new Set(uris)].map(async (uri) => {
        const error = await subscriptions.add(uri, context);
        return error === undefined ? [uri] : [];
      }),
    );
    return followed.flat();
  }

  #createResult(id: RpcId): SettledResponse {
    const result = withSubscriptionId({}, id);
    const text = formatResultText(result, this.#stamp);
    return { message: formatResult(id, text), status: 200 };
  }
}

const toContext = ({ principal, header }: RequestScope): RequestContext => ({
  principal,
  header,
  sessionId: undefined,
});

/** Buffers the latest update of each resource until the subscription is acknowledged. */
class UpdateBuffer {
  readonly #send: (update: string) => void;
  #buffer: Map<unknown, string> | undefined = new Map();

  constructor(send: (update: string) => void) {
    this.#send = send;
  }

  add(uri: unknown, update: string): void {
    if (this.#buffer === undefined) this.#send(update);
    else this.#buffer.set(uri, update);
  }

  release(): void {
    const updates = this.#buffer;
    this.#buffer = undefined;
    for (const update of updates?.values() ?? []) this.#send(update);
  }
}

const INVALID_FILTER =
  "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter";

const isOptionalFlag = (value: unknown): boolean =>
  value === undefined || typeof value === 'boolean';

const parseFilter = (value: unknown): Filter | undefined => {
  if (!isJsonObject(value)) return undefined;
  const kinds = Object.keys(FILTER_KEY) as WatchedList[];
  if (!kinds.every((kind) => isOptionalFlag(value[FILTER_KEY[kind]]))) return undefined;
  const uris = value['resourceSubscriptions'] ?? [];
  if (!Array.isArray(uris)) return undefined;
  const texts = uris.filter((uri) => typeof uri === 'string');
  if (texts.length !== uris.length) return undefined;
  return { kinds: kinds.filter((kind) => value[FILTER_KEY[kind]] === true), uris: texts };
};

const toAcknowledgedFilter = (
  kinds: readonly WatchedList[],
  uris: readonly string[],
): JsonObject => ({
  ...Object.fromEntries(kinds.map((kind) => [FILTER_KEY[kind], true])),
  ...(uris.length > 0 && { resourceSubscriptions: uris }),
});

const withSubscriptionId = (params: JsonObject, id: RpcId): JsonObject => ({
  ...params,
  _meta: {
    ...(isJsonObject(params['_meta']) ? params['_meta'] : {}),
    [SUBSCRIPTION_ID_META_KEY]: id,
  },
});

const createListenRefusal = (
  id: RpcId,
  code: number,
  message: string,
  status = 200,
): SettledResponse => ({
  message: formatErrorMessage(id, { code, message }),
  status,
});
