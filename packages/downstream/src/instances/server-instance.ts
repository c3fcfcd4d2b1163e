import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import type { ServerTool } from '@gateway/catalog';
import type { DownstreamError } from '../requests/call.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import type { InstanceConnection } from './instance-connection.ts';

/** The instance of a server for one client: a process that only the calls of that client reach. */
export class ServerInstance implements RequestPeer {
  readonly client: string;
  readonly person: string | undefined;
  readonly definition: McpServer;
  readonly requiresAuth = false;
  connection: InstanceConnection | undefined;
  opening: Promise<void> | undefined;
  /** Why the last start failed: one line without secrets. */
  failure: string | undefined;
  /** Monotonic time of the last failure, in milliseconds. */
  failedAt = 0;
  /** Monotonic time of the last use, in milliseconds. */
  usedAt: number;
  readonly ending = new AbortController();
  readonly #tools: () => readonly ServerTool[];

  /** @param tools the tools of the shared process, which is the source of the lists */
  constructor(
    { client, person, definition }: Pick<ServerInstance, 'client' | 'person' | 'definition'>,
    usedAt: number,
    tools: () => readonly ServerTool[],
  ) {
    this.client = client;
    this.person = person;
    this.definition = definition;
    this.usedAt = usedAt;
    this.#tools = tools;
  }

  get statusState(): McpServerState {
    return this.connection === undefined ? 'Failed' : 'Running';
  }

  get tools(): readonly ServerTool[] {
    return this.#tools();
  }

  get refusal(): DownstreamError {
    const server = this.definition.metadata.name;
    const reason = this.failure ?? 'the instance of this client has ended';
    return { code: 'server.connection-lost', server, reason };
  }

  /** The instance runs no call and is not being started. */
  get isIdle(): boolean {
    return this.opening === undefined && (this.connection?.running ?? 0) === 0;
  }
}
