import { isJsonObject, type JsonObject, type Principal } from '@gateway/call-contract';
import { randomBytes } from 'node:crypto';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { PeerBus } from './peer-bus.ts';
import { RelayedSink } from './relayed-sink.ts';

/** A request that a process carries out for the client of another process. */
export type RelayPurpose = 'resume' | 'retry' | 'sse';

/** The end of a relay at which the client is. */
export interface RelayClient {
  /** The other process has the requested call or stream, and messages follow. */
  readonly onTaken: () => void;
  /** A message for the client, or a heartbeat without one. `mayDrop` marks a message that may be dropped. */
  readonly onEvent: (event: JsonObject) => void;
  /** The relay is complete; it carries the last message, if there is one. */
  readonly onEnd: (last: JsonObject) => void;
  /** The other process does not have it, does not exist or is dead. */
  readonly onLost: () => void;
}

/**
 * Serves a relay that another process opens on behalf of its client. Returns `false` when this process does not have what it
 * names.
 */
export type RelayHandler = (body: JsonObject, sink: RelayedSink) => boolean;

interface Outgoing {
  readonly to: string;
  readonly client: RelayClient;
  timer: NodeJS.Timeout;
}

type RelayLimits = Pick<McpHttpLimits, 'maxRelays' | 'peerTimeoutMs'>;

/** Heartbeats per timeout after which a silent process counts as dead. */
const HEARTBEATS_PER_TIMEOUT = 3;

/**
 * Relays requests that arrived at the wrong process to the right one, and its messages back. Bounded in number; silence ends a
 * relay.
 */
export class Relays {
  readonly #bus: PeerBus;
  readonly #limits: RelayLimits;
  readonly #handlers = new Map<string, RelayHandler>();
  readonly #outgoing = new Map<string, Outgoing>();
  readonly #incoming = new Map<string, RelayedSink>();

  constructor(bus: PeerBus, limits: RelayLimits) {
    this.#bus = bus;
    this.#limits = limits;
    bus.on('relay-open', (body, from) => this.#take(body, from));
    bus.on('relay-taken', (body, from) => this.#of(body, from)?.client.onTaken());
    bus.on('relay-alive', (body, from) => {
      if (this.#of(body, from) !== undefined)
        bus.send('relay-heard', { relay: body['relay'] }, from);
    });
    bus.on('relay-heard', ({ relay }) => this.#incoming.get(String(relay))?.recordHeartbeat());
    bus.on('relay-event', (body, from) => this.#of(body, from)?.client.onEvent(body));
    bus.on('relay-end', (body, from) => this.#finish(body, from));
    bus.on('relay-cut', ({ relay }) => this.#incoming.get(String(relay))?.disconnect());
  }

  /** Number of relays, in both directions. */
  get size(): number {
    return this.#outgoing.size + this.#incoming.size;
  }

  /** Registers the handler of relays of one purpose. */
  on(purpose: RelayPurpose, handler: RelayHandler): void {
    this.#handlers.set(purpose, handler);
  }

  /**
   * Asks another process to continue for a client of this process. @returns a function that reports that the client has
   * disconnected
   */
  open(to: string, purpose: RelayPurpose, body: object, client: RelayClient): () => void {
    const isFull = this.size >= this.#limits.maxRelays;
    if (!this.#bus.hasPeers || isFull || this.#bus.isGone(to)) {
      client.onLost();
      return () => undefined;
    }
    const relay = randomBytes(9).toString('base64url');
    this.#outgoing.set(relay, { to, client, timer: this.#lossTimer(relay) });
    this.#bus.send('relay-open', { relay, purpose, body }, to);
    return () => {
      if (this.#remove(relay) !== undefined) this.#bus.send('relay-cut', { relay }, to);
    };
  }

  /** Ends all relays. */
  close(): void {
    for (const relay of [...this.#outgoing.keys()]) this.#remove(relay)?.client.onLost();
    for (const sink of [...this.#incoming.values()]) sink.disconnect();
  }

  #take(opening: JsonObject, from: string): void {
    const { relay, purpose, body } = opening;
    if (typeof relay !== 'string' || !isJsonObject(body)) return;
    const handler = this.#handlers.get(String(purpose));
    const sink = new RelayedSink({
      send: (kind, message) => this.#bus.send(kind, { ...message, relay }, from),
      heartbeatMs: this.#limits.peerTimeoutMs / HEARTBEATS_PER_TIMEOUT,
      maxMissedHeartbeats: HEARTBEATS_PER_TIMEOUT,
      canStream: body['canStream'] === true,
      onOver: () => this.#incoming.delete(relay),
    });
    const isFull = this.size >= this.#limits.maxRelays;
    this.#incoming.set(relay, sink);
    if (isFull || handler?.(body, sink) !== true) sink.refuse();
  }

  #finish(last: JsonObject, from: string): void {
    const outgoing = this.#of(last, from);
    if (outgoing === undefined) return;
    this.#remove(String(last['relay']));
    if (last['isRefused'] === true) outgoing.client.onLost();
    else outgoing.client.onEnd(last);
  }

  /** Returns the relay that a message belongs to; the message counts as a heartbeat. */
  #of({ relay }: JsonObject, from: string): Outgoing | undefined {
    const name = String(relay);
    const outgoing = this.#outgoing.get(name);
    if (outgoing?.to !== from) return undefined;
    clearTimeout(outgoing.timer);
    outgoing.timer = this.#lossTimer(name);
    return outgoing;
  }

  #lossTimer(relay: string): NodeJS.Timeout {
    const lose = (): void => this.#remove(relay)?.client.onLost();
    return setTimeout(lose, this.#limits.peerTimeoutMs).unref();
  }

  #remove(relay: string): Outgoing | undefined {
    const outgoing = this.#outgoing.get(relay);
    clearTimeout(outgoing?.timer);
    this.#outgoing.delete(relay);
    return outgoing;
  }
}

/** Returns whether data of another process is a principal. */
export const isPrincipal = (value: unknown): value is Principal =>
  isJsonObject(value) && typeof value['key'] === 'string' && typeof value['subject'] === 'string';
