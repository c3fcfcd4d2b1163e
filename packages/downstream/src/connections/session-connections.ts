import type { Principal } from '@gateway/call-contract';
import type { RequestPeer } from '../requests/requests.ts';
import { type ConnectionOwner, createOwner, OwnedPeer } from './connection-table.ts';
import type { ConnectionDriver } from './connection-driver.ts';
import { isPerSession, type Supervisor } from './fleet.ts';

interface RequestSession {
  readonly client: string;
  /** The user, or the network of callers without a sign-in, that the limits count. */
  readonly limitedAs: string | undefined;
  readonly principal: Principal;
}

/** The connections of client sessions to servers with `instances: perSession`. @spec §2.6 */
export class SessionConnections {
  readonly #connections: ConnectionDriver;

  constructor(connections: ConnectionDriver) {
    this.#connections = connections;
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#connections.places.countByServer('session');
  }

  /** Returns the server as a client session reaches it; a promise while the connection opens. The lists come from `base`. */
  findPeer(base: RequestPeer, session: RequestSession): RequestPeer | Promise<RequestPeer> {
    const { table } = this.#connections;
    const { definition } = base;
    const { name } = definition.metadata;
    const { client, principal } = session;
    const known = table.findOwner('session', client)?.rows.get(name);
    // Without the connection of the lists no session begins, but one that has begun goes on.
    if (base.connection === undefined && known?.connection === undefined) return base;
    const owner = table.findOwner('session', client) ?? this.#createOwner(session);
    owner.principal = principal;
    const row = table.openRow(owner, name);
    const peer = new OwnedPeer(definition, row, () => base.tools);
    if (row.connection !== undefined || this.#connections.isBackingOff(row)) return peer;
    return this.#connections.open(row).then(() => peer);
  }

  /** Follows the servers after a change: the connections to a stopped or differently defined server end when their calls have ended. */
  update(find: (server: string) => Supervisor | undefined): void {
    for (const { rows } of this.#connections.table.listOwners('session'))
      for (const row of [...rows.values()]) {
        const server = find(row.server);
        const isKept =
          server !== undefined &&
          server.isDesired &&
          isPerSession(server.definition) &&
          (row.generation === undefined || row.generation === server.generation);
        if (!isKept) this.#connections.drain(row);
      }
  }

  endServer(server: string, principalKey?: string): void {
    for (const owner of this.#connections.table.listOwners('session')) {
      const row = owner.rows.get(server);
      const isEnded = principalKey === undefined || owner.principal.key === principalKey;
      if (row !== undefined && isEnded) this.#connections.end(row);
    }
  }

  endClient(client: string): void {
    const owner = this.#connections.table.findOwner('session', client);
    for (const row of [...(owner?.rows.values() ?? [])]) this.#connections.end(row);
  }

  #createOwner({ client, limitedAs, principal }: RequestSession): ConnectionOwner {
    const owner = createOwner('session', client, principal, limitedAs);
    this.#connections.table.addOwner(owner, Infinity);
    return owner;
  }
}
