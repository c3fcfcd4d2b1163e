import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, peerAddress } from '../wire/peer-address.ts';
import { isWaitingStream } from '../wire/waiting-streams.ts';

/** One open connection and its latest request. */
interface Connection {
  readonly socket: Socket;
  readonly network: string;
  /** Order of the latest use among all connections. */
  usedAt: number;
  hasSent: boolean;
  /** Requests that are not answered yet. */
  unanswered: number;
  /** The latest of them. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** Called when a response closes. */
  readonly release: () => void;
}

/** State of a connection. The gateway works for `working` only; it closes the others when it needs a connection. */
type ConnectionState = 'idle' | 'stream' | 'working';

/** States of connections that are closed for a new one, first choice first. */
const CLOSED_FIRST: readonly ConnectionState[] = ['idle', 'stream'];

/**
 * The open connections of a server, bounded in number. At the limit a new connection replaces the least recently used one that
 * waits for its client, of the address that has the most of them. A new connection is refused only while all others have running
 * requests.
 */
export class Connections {
  readonly #limit: number;
  readonly #open = new Map<Socket, Connection>();
  #uses = 0;

  constructor(server: Server, limit: number) {
    this.#limit = limit;
    server.on('connection', (socket: Socket) => this.#add(socket));
  }

  /** Number of open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Records a request. */
  record(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return;
    connection.usedAt = this.#uses += 1;
    connection.hasSent = true;
    connection.unanswered += 1;
    connection.request = request;
    connection.response = response;
    response.on('close', connection.release);
  }

  /** Closes the connections that have not sent a request. Node counts them as busy: its `closeIdleConnections` leaves them open. */
  closeSilent(): void {
    for (const { socket, hasSent } of this.#open.values()) {
      if (!hasSent) socket.destroy();
    }
  }

  #add(socket: Socket): void {
    if (this.#open.size >= this.#limit && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    const network = networkOf(peerAddress(socket));
    this.#open.set(socket, connectionOf(socket, network, (this.#uses += 1)));
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Closes connections that wait for their clients. Returns `false` when there is none. */
  #makeRoom(): boolean {
    for (const state of CLOSED_FIRST) {
      const group = heaviest(this.#open.values(), state);
      if (group.length === 0) continue;
      group.sort((a, b) => a.usedAt - b.usedAt);
      const count = Math.ceil(Math.min(group.length / 2, this.#limit / BATCHES));
      for (const { socket } of group.slice(0, count)) {
        this.#open.delete(socket);
        socket.destroy();
      }
      return true;
    }
    return false;
  }
}

/** Under a flood, connections are closed in batches of this part of the limit: each selection reads all connections. */
const BATCHES = 64;

const connectionOf = (socket: Socket, network: string, usedAt: number): Connection => {
  const connection: Connection = {
    ...{ socket, network, usedAt },
    ...{ hasSent: false, unanswered: 0, request: undefined, response: undefined },
    // An idle connection keeps no request alive.
    release: () => {
      connection.unanswered -= 1;
      if (connection.unanswered > 0) return;
      connection.request = undefined;
      connection.response = undefined;
    },
  };
  return connection;
};

const stateOf = ({ request, response }: Connection): ConnectionState => {
  if (request === undefined || response === undefined) return 'idle';
  // The client has sent too little, or has read too little.
  if (!request.complete || response.writableEnded || response.destroyed) return 'idle';
  return isWaitingStream(response) ? 'stream' : 'working';
};

/** Returns the connections of a state of the address that has the most of them. */
const heaviest = (connections: Iterable<Connection>, state: ConnectionState): Connection[] => {
  const groups = new Map<string, Connection[]>();
  let largest: Connection[] = [];
  for (const connection of connections) {
    if (stateOf(connection) !== state) continue;
    const group = groups.get(connection.network) ?? [];
    group.push(connection);
    groups.set(connection.network, group);
    if (group.length > largest.length) largest = group;
  }
  return largest;
};
