import { RPC_CODE, type RpcError } from './json-rpc.ts';
import type { JsonObject, McpService, RequestContext } from './mcp-service.ts';

/** What the subscriptions of one connection are made of. */
export interface ConnectionSubscriptionsParts {
  readonly service: McpService;
  readonly context: RequestContext;
  readonly maxSubscriptions: number;
  readonly onUpdated: (params: JsonObject) => void;
}

interface Followed {
  /** Who follows it: each client's own word for a group of subscriptions. */
  readonly groups: Set<string>;
  end: () => void;
}

/** The resources that the client of one connection follows; each is followed once, for as long as one group has it. */
export class ConnectionSubscriptions {
  readonly #parts: ConnectionSubscriptionsParts;
  readonly #followed = new Map<string, Followed>();

  constructor(parts: ConnectionSubscriptionsParts) {
    this.#parts = parts;
  }

  /** Follows a resource for a group; gives the error when it cannot be followed. */
  async add(uri: string, group: string): Promise<RpcError | undefined> {
    const found = this.#followed.get(uri);
    if (found !== undefined) {
      found.groups.add(group);
      return undefined;
    }
    const { service, context, maxSubscriptions, onUpdated } = this.#parts;
    if (this.#followed.size >= maxSubscriptions) {
      const message = `Too many subscriptions: the limit of ${maxSubscriptions} is reached`;
      return { code: RPC_CODE.invalidParams, message };
    }
    const followed: Followed = { groups: new Set([group]), end: () => undefined };
    this.#followed.set(uri, followed);
    const tell = (params: JsonObject): void => onUpdated({ ...params, uri });
    const answer = (await service.subscribe?.(uri, tell, context)) ?? UNSUPPORTED;
    if (answer.ok) {
      if (this.#followed.get(uri) === followed) followed.end = answer.end;
      else answer.end();
      return undefined;
    }
    if (this.#followed.get(uri) === followed) this.#followed.delete(uri);
    return answer.error;
  }

  /** Stops following a resource for a group. */
  remove(uri: string, group: string): void {
    const followed = this.#followed.get(uri);
    followed?.groups.delete(group);
    if (followed === undefined || followed.groups.size > 0) return;
    this.#followed.delete(uri);
    followed.end();
  }

  /** Stops following whatever a group follows. */
  removeGroup(group: string): void {
    for (const uri of [...this.#followed.keys()]) this.remove(uri, group);
  }

  /** Stops following anything. */
  close(): void {
    for (const { end } of this.#followed.values()) end();
    this.#followed.clear();
  }
}

const UNSUPPORTED = {
  ok: false,
  error: { code: RPC_CODE.methodNotFound, message: 'Method not found' },
} as const;
