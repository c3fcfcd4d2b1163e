import { type JsonObject, RPC_CODE, type RpcError } from '@gateway/call-contract';
import type { McpService, RequestContext } from '../protocol/mcp-service.ts';

/** The dependencies of {@link ResourceSubscriptions}. */
export interface ResourceSubscriptionsDependencies {
  readonly service: McpService;
  readonly maxSubscriptions: number;
  /** Receives the updates of a resource, with the URI under which the client follows it. */
  readonly onUpdated: (params: JsonObject) => void;
}

/** The group that follows a resource, and its request. */
export interface Follower {
  /** The client's own word for subscriptions that end together. */
  readonly group: string;
  readonly context: RequestContext;
}

type Answer = Awaited<ReturnType<NonNullable<McpService['subscribe']>>>;

interface Followed {
  readonly groups: Set<string>;
  end: () => void;
}

const UNSUPPORTED: Answer = {
  ok: false,
  error: { code: RPC_CODE.methodNotFound, message: 'Method not found' },
};

/** The resources that one client follows, bounded in number; each is followed once, for as long as one group has it. */
export class ResourceSubscriptions {
  readonly #dependencies: ResourceSubscriptionsDependencies;
  readonly #followed = new Map<string, Followed>();

  constructor(dependencies: ResourceSubscriptionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Number of resources. */
  get size(): number {
    return this.#followed.size;
  }

  /** Follows a resource for a group; gives the error when it cannot be followed, rejects on a bug of the service. */
  async add(uri: string, { group, context }: Follower): Promise<RpcError | undefined> {
    const found = this.#followed.get(uri);
    if (found !== undefined) {
      const error = this.#refuse(uri, context);
      if (error === undefined) found.groups.add(group);
      return error;
    }
    const { maxSubscriptions } = this.#dependencies;
    if (this.#followed.size >= maxSubscriptions) {
      const message = `Too many subscriptions: the limit of ${maxSubscriptions} is reached`;
      return { code: RPC_CODE.invalidParams, message };
    }
    const followed: Followed = { groups: new Set([group]), end: () => undefined };
    this.#followed.set(uri, followed);
    return this.#follow(uri, followed, context);
  }

  /** Stops following a resource for a group; `false` when the group does not follow it. */
  remove(uri: string, group: string): boolean {
    const followed = this.#followed.get(uri);
    if (followed?.groups.delete(group) !== true) return false;
    if (followed.groups.size === 0) {
      this.#followed.delete(uri);
      followed.end();
    }
    return true;
  }

  /** Ends all subscriptions of a group. */
  removeGroup(group: string): void {
    for (const uri of [...this.#followed.keys()]) this.remove(uri, group);
  }

  /** Stops following anything. */
  close(): void {
    const followed = [...this.#followed.values()];
    this.#followed.clear();
    for (const { end } of followed) end();
  }

  /** Returns why the headers of a request do not admit a resource that is followed already. */
  #refuse(uri: string, context: RequestContext): RpcError | undefined {
    const { service } = this.#dependencies;
    const refused = service.refuseCall?.({ method: 'resources/read', params: { uri } }, context);
    return refused?.ok === false ? refused.error : undefined;
  }

  async #follow(
    uri: string,
    followed: Followed,
    context: RequestContext,
  ): Promise<RpcError | undefined> {
    const { service, onUpdated } = this.#dependencies;
    const isWanted = (): boolean => this.#followed.get(uri) === followed;
    const tell = (params: JsonObject): void => {
      if (isWanted()) onUpdated({ ...params, uri });
    };
    let answer: Answer = UNSUPPORTED;
    try {
      answer = (await service.subscribe?.(uri, tell, context)) ?? UNSUPPORTED;
    } finally {
      if (!answer.ok && isWanted()) this.#followed.delete(uri);
    }
    if (!answer.ok) return answer.error;
    if (isWanted()) followed.end = answer.end;
    else answer.end();
    return undefined;
  }
}
