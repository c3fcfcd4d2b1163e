import { type JsonObject, RPC_CODE, type RpcError } from '@gateway/call-contract';
import type { McpService, RequestContext } from '../protocol/mcp-service.ts';

type Answer = Awaited<ReturnType<NonNullable<McpService['subscribe']>>>;

const UNSUPPORTED: Answer = {
  ok: false,
  error: { code: RPC_CODE.methodNotFound, message: 'Method not found' },
};

/** The resources that one client follows, bounded in number; each is followed once. */
export class ResourceSubscriptions {
  readonly #service: McpService;
  readonly #limit: number;
  readonly #onUpdated: (params: JsonObject) => void;
  /** The end of each subscription by URI. */
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

  /** Follows a resource; returns the error when it cannot be followed, rejects on a bug of the service. */
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

  /** Stops following anything. */
  close(): void {
    for (const uri of [...this.#followed.keys()]) this.remove(uri);
  }

  /** Returns why the headers of a request do not admit a resource that is followed already. */
  #refuse(uri: string, context: RequestContext): RpcError | undefined {
    const call = { method: 'resources/read', params: { uri } } as const;
    const refused = this.#service.refuseCall?.(call, context);
    return refused?.ok === false ? refused.error : undefined;
  }

  async #follow(uri: string, context: RequestContext): Promise<RpcError | undefined> {
    const followed = { end: (): void => undefined };
    this.#followed.set(uri, followed);
    const isWanted = (): boolean => this.#followed.get(uri) === followed;
    const deliver = (params: JsonObject): void => {
      if (isWanted()) this.#onUpdated({ ...params, uri });
    };
    let answer: Answer = UNSUPPORTED;
    try {
      answer = (await this.#service.subscribe?.(uri, deliver, context)) ?? UNSUPPORTED;
    } finally {
      if (!answer.ok && isWanted()) this.#followed.delete(uri);
    }
    if (!answer.ok) return answer.error;
    if (isWanted()) followed.end = answer.end;
    else answer.end();
    return undefined;
  }
}
