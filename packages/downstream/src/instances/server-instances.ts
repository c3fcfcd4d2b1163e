import type { McpServer } from '@gateway/crd-schemas';
import type { ClientInfo } from '../connection/client-session.ts';
import type { Connection } from '../connection/connection.ts';
import { openConnection } from '../connection/open-connection.ts';
import type { ConnectionDependencies } from '../connection/server-link.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import type { Era } from '../requests/request-connection.ts';
import { EndingProcesses } from './ending-processes.ts';
import { InstanceConnection } from './instance-connection.ts';
import type { InstancePolicy } from './instance-policy.ts';
import { roomForInstance } from './room-for-instance.ts';
import { ServerInstance } from './server-instance.ts';

/** The dependencies of {@link ServerInstances}. */
export interface ServerInstancesDependencies extends ConnectionDependencies {
  readonly clientInfo: ClientInfo;
  readonly policy: InstancePolicy;
  /** The number of instances changed. */
  readonly onChanged: () => void;
  /** Waits for a place among the servers that start. Resolves with `undefined` when the signal aborts first. */
  readonly enterGate: (server: string, signal: AbortSignal) => Promise<(() => void) | undefined>;
}

/** Maximum time between two checks for idle instances, in milliseconds. */
const MAX_CHECK_MS = 30_000;

/** The client of an instance, and the person to whom the instance is counted. */
export interface CallerOfInstances {
  readonly client: string;
  readonly person: string | undefined;
}

type InstancesOfServer = Map<string, ServerInstance>;

/** Returns whether each client has a process of its own. @spec §2.6 */
export const isPerSession = ({ spec }: McpServer): boolean =>
  spec.type === 'stdio' && spec.instances === 'perSession';

/** The instances of stdio servers for their clients, bounded in number. The shared process of a server is not one of them. */
export class ServerInstances {
  readonly #dependencies: ServerInstancesDependencies;
  readonly #byServer = new Map<string, InstancesOfServer>();
  /** Instances that no new call uses. */
  readonly #retired = new Set<ServerInstance>();
  readonly #ending = new EndingProcesses();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(dependencies: ServerInstancesDependencies) {
    this.#dependencies = dependencies;
    const checkMs = Math.max(10, Math.min(MAX_CHECK_MS, dependencies.policy.idleMs / 4));
    this.#timer = setInterval(() => this.#endIdle(), checkMs);
    this.#timer.unref();
  }

  /** Returns the number of instances by server. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#byServer].map(([server, { size }]) => [server, size]));
  }

  /**
   * Returns the instance of a client, which starts with its first call; a promise while it starts.
   *
   * @param shared the server with its shared process, which is connected
   */
  peer(shared: RequestPeer, caller: CallerOfInstances): RequestPeer | Promise<RequestPeer> {
    const { now, policy } = this.#dependencies;
    const instance = this.#instanceOf(shared, caller);
    instance.usedAt = now();
    if (instance.connection !== undefined) return instance;
    const isRecent = instance.failure !== undefined && now() < instance.failedAt + policy.retryMs;
    if (isRecent && instance.opening === undefined) return instance;
    instance.opening ??= this.#open(instance, shared.connection?.era).finally(() => {
      instance.opening = undefined;
    });
    return instance.opening.then(() => instance);
  }

  /** Returns whether a client has an instance that runs. */
  isLive({ metadata }: McpServer, client: string): boolean {
    return this.#byServer.get(metadata.name)?.get(client)?.connection !== undefined;
  }

  /** Ends the instances of servers that a function does not keep; running calls may finish. */
  retain(keeps: (server: string, definition: McpServer) => boolean): void {
    for (const [server, instances] of this.#byServer)
      for (const instance of instances.values())
        if (!keeps(server, instance.definition)) this.#retire(instance);
  }

  /** Ends the instances of a server. */
  endServer(server: string): void {
    for (const instance of this.#byServer.get(server)?.values() ?? []) this.#end(instance);
  }

  /** Ends the instances of a client. */
  endClient(client: string): void {
    for (const instances of this.#byServer.values()) {
      const instance = instances.get(client);
      if (instance !== undefined) this.#end(instance);
    }
  }

  /** Ends all instances. Resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const server of [...this.#byServer.keys()]) this.endServer(server);
    for (const instance of [...this.#retired]) this.#end(instance);
    await this.#ending.allGone();
  }

  #instanceOf(shared: RequestPeer, { client, person }: CallerOfInstances): ServerInstance {
    const { definition } = shared;
    const { name } = definition.metadata;
    const known = this.#byServer.get(name)?.get(client);
    if (known !== undefined) return known;
    const facts = { client, person, definition };
    const instance = new ServerInstance(facts, this.#dependencies.now(), () => shared.tools);
    const counted = { present: this.#all(), retired: [...this.#retired] };
    const room = roomForInstance({ server: name, person }, counted, this.#dependencies.policy);
    if (!room.ok) {
      instance.failure = room.reason;
      instance.failedAt = Infinity;
      return instance;
    }
    for (const other of room.ends) this.#end(other);
    const instances: InstancesOfServer =
      this.#byServer.get(name) ?? new Map<string, ServerInstance>();
    this.#byServer.set(name, instances.set(client, instance));
    this.#dependencies.onChanged();
    return instance;
  }

  #retiredOf(server: string): number {
    return [...this.#retired].filter(({ definition }) => definition.metadata.name === server)
      .length;
  }

  /** Waits until the processes that end leave room for one of an instance that has its place. */
  async #roomForProcess({ definition, ending }: ServerInstance): Promise<void> {
    const { name } = definition.metadata;
    const { maxPerServer, maxInstances } = this.#dependencies.policy;
    const isFull = (): boolean => {
      const leaving = this.#ending.countOf(name);
      const ofServer = (this.#byServer.get(name)?.size ?? 0) + this.#retiredOf(name) + leaving;
      const ofAll = this.#size + this.#retired.size + this.#ending.size;
      return (
        (leaving > 0 && ofServer > maxPerServer) || (this.#ending.size > 0 && ofAll > maxInstances)
      );
    };
    while (!ending.signal.aborted && isFull()) await this.#ending.oneGone();
  }

  get #size(): number {
    return [...this.#byServer.values()].reduce((sum, { size }) => sum + size, 0);
  }

  #all(): readonly ServerInstance[] {
    return [...this.#byServer.values()].flatMap((instances) => [...instances.values()]);
  }

  async #open(instance: ServerInstance, knownEra: Era | undefined): Promise<void> {
    const { clientInfo, enterGate, now } = this.#dependencies;
    const { definition, ending } = instance;
    const { signal } = ending;
    await this.#roomForProcess(instance);
    const leave = await enterGate(definition.metadata.name, signal);
    if (leave === undefined || this.#isClosed) {
      leave?.();
      return;
    }
    const outcome = await openConnection(
      { server: definition, clientInfo, knownEra, signal, lean: true },
      this.#dependencies,
      {
        onListChanged: () => undefined,
        onSessionEnded: () => this.#retire(instance),
        onLost: () => this.#end(instance),
      },
    );
    leave();
    if (outcome.ok) this.#take(instance, outcome.connection);
    else {
      instance.failure = outcome.failure.reason;
      instance.failedAt = now();
    }
  }

  #take(instance: ServerInstance, connection: Connection): void {
    const { now } = this.#dependencies;
    if (instance.ending.signal.aborted) {
      this.#ending.end(instance.definition.metadata.name, connection);
      return;
    }
    instance.failure = undefined;
    instance.connection = new InstanceConnection(connection, instance.client, () => {
      instance.usedAt = now();
    });
  }

  #endIdle(): void {
    const { now, policy } = this.#dependencies;
    const before = now() - policy.idleMs;
    for (const instance of this.#all())
      if (instance.isIdle && instance.usedAt <= before) this.#end(instance);
  }

  /** Ends an instance when its calls have ended; the next call of its client starts another one. */
  #retire(instance: ServerInstance): void {
    const { connection } = instance;
    if (connection === undefined) this.#end(instance);
    else {
      this.#forget(instance);
      this.#retired.add(instance);
      connection.whenUnused(() => this.#end(instance));
    }
  }

  #end(instance: ServerInstance): void {
    this.#forget(instance);
    this.#retired.delete(instance);
    instance.ending.abort(new Error('the instance was ended'));
    const { connection } = instance;
    instance.connection = undefined;
    if (connection !== undefined) this.#ending.end(instance.definition.metadata.name, connection);
  }

  #forget(instance: ServerInstance): void {
    const { name } = instance.definition.metadata;
    const instances = this.#byServer.get(name);
    if (instances?.get(instance.client) !== instance) return;
    instances.delete(instance.client);
    if (instances.size === 0) this.#byServer.delete(name);
    this.#dependencies.onChanged();
  }
}
