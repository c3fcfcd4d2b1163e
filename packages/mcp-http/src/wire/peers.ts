import { isJsonObject, type JsonObject, type Principal } from '@gateway/call-contract';
import { joinText } from '@gateway/mcp-wire';
import { randomBytes } from 'node:crypto';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { ResponseSink, SettledResponse } from '../protocol/results.ts';
import type { EventSink } from './event-stream.ts';

/**
 * A channel to the other processes that serve the same endpoint: replicas behind a load balancer.
 * Messages are plain JSON; a receiver trusts their sender.
 */
export interface Peers {
  /** Unique among the processes, over their restarts: letters, digits, `-` and `_`. */
  readonly id: string;
  /** Sends a message to all other processes; lost messages cost a timeout, never a wrong answer. */
  send(message: object): void;
  /** Receives the messages of the others, until the returned function is called. */
  onMessage(handler: (message: unknown) => void): () => void;
}

/** The kinds of messages between the processes of an endpoint. */
type PeerKind =
  /** A session was ended by its client. */
  | 'session-ended'
  /** The log level of a session was set. */
  | 'session-level'
  /** A question: which process has used a session recently? */
  | 'session-used'
  /** A question: which process has a stream of a session? */
  | 'stream-wanted'
  | 'reply'
  /** A message for a stream of a session. */
  | 'stream-message'
  /** A client has answered a question. */
  | 'answered'
  /** A client cancels a call, or reports progress of its answer. */
  | 'notified'
  | 'unsubscribed'
  /** The record of a session has another resource that it follows. */
  | 'follows-changed'
  /** A process follows resources of a session: the others no longer do. */
  | 'follows-taken'
  /** A process ends. */
  | 'left'
  /** A notification channel of a session was opened: others of its name close. */
  | 'channel-opened'
  | 'relay-open'
  | 'relay-taken'
  | 'relay-event'
  | 'relay-alive'
  | 'relay-heard'
  | 'relay-end'
  | 'relay-cut';

/** A handler of messages from another process. */
type PeerHandler = (body: JsonObject, from: string) => void;

const OWN_ID = /^[\w-]{1,64}$/;

/** Processes that have ended that are remembered. */
const MAX_GONE = 1_000;

/** Questions to peers that may wait at one time; further ones count as unanswered. */
const MAX_PENDING = 10_000;

/** Carries messages between the processes that serve one endpoint. Without peers it sends nothing. */
export class PeerBus {
  /** The name of this process, for its peers and for ids that clients send back. */
  readonly self: string;
  readonly #peers: Peers | undefined;
  readonly #handlers = new Map<string, PeerHandler>();
  readonly #pending = new Map<string, (from: string | undefined) => void>();
  readonly #stop: (() => void) | undefined;
  readonly #gone = new Set<string>();
  #isClosed = false;

  constructor(peers?: Peers) {
    this.#peers = peers;
    const given = peers?.id ?? '';
    this.self = OWN_ID.test(given) ? given : randomBytes(6).toString('base64url');
    this.#stop = peers?.onMessage((message) => this.#receive(message));
    this.on('left', (_body, from) => this.#recordEnd(from));
    this.on('reply', ({ question }, from) => this.#pending.get(String(question))?.(from));
  }

  /** Returns whether the endpoint has peers. */
  get hasPeers(): boolean {
    return this.#peers !== undefined;
  }

  /** Returns whether another question can be asked; otherwise it would count as unanswered. */
  get canAsk(): boolean {
    return this.#pending.size < MAX_PENDING;
  }

  /** Returns whether a process has said that it ends. */
  isGone(peer: string): boolean {
    return this.#gone.has(peer);
  }

  /** Registers the handler of one kind of message. */
  on(kind: PeerKind, handler: PeerHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** Sends a message to all other processes, or to one of them. */
  send(kind: PeerKind, body: object, to?: string): void {
    this.#peers?.send({ mcpHttp: kind, from: this.self, ...(to !== undefined && { to }), body });
  }

  /** Asks all other processes. Resolves with the first that replies, or with `undefined` when none replies in time. */
  ask(kind: PeerKind, body: object, timeoutMs: number): Promise<string | undefined> {
    if (!this.hasPeers || !this.canAsk) return Promise.resolve(undefined);
    const question = randomBytes(9).toString('base64url');
    return new Promise((resolve) => {
      const settle = (from: string | undefined): void => {
        clearTimeout(timer);
        this.#pending.delete(question);
        resolve(from);
      };
      const timer = setTimeout(() => settle(undefined), timeoutMs);
      timer.unref();
      this.#pending.set(question, settle);
      this.send(kind, { ...body, question });
    });
  }

  /** Answers a question of `ask` with yes; silence means no. */
  reply({ question }: JsonObject, to: string): void {
    this.send('reply', { question }, to);
  }

  /** Informs the others that this process ends, stops receiving messages and settles all questions as unanswered. */
  close(): void {
    if (!this.#isClosed) this.send('left', {});
    this.#isClosed = true;
    this.#stop?.();
    for (const settle of [...this.#pending.values()]) settle(undefined);
  }

  #recordEnd(peer: string): void {
    this.#gone.add(peer);
    const [oldest] = this.#gone;
    if (this.#gone.size > MAX_GONE && oldest !== undefined) this.#gone.delete(oldest);
  }

  #receive(message: unknown): void {
    if (!isJsonObject(message)) return;
    const { mcpHttp: kind, from, to, body } = message;
    if (typeof kind !== 'string' || typeof from !== 'string' || !isJsonObject(body)) return;
    if (from === this.self || (to !== undefined && to !== this.self)) return;
    this.#handlers.get(kind)?.(body, from);
  }
}

type SinkMessage = 'relay-taken' | 'relay-event' | 'relay-alive' | 'relay-end';

/** Heartbeats per timeout after which a silent process counts as dead. */
const HEARTBEATS_PER_TIMEOUT = 3;

/**
 * The channel to a client whose connection another process holds: to the answer of its request, or to a stream that it resumes.
 */
class RelayedSink implements ResponseSink, EventSink {
  /** Always `false`: the process that holds the connection limits its reader. */
  readonly isBehind = false;
  readonly #sendMessage: (kind: SinkMessage, message: object) => void;
  readonly #heartbeatMs: number;
  readonly #canStream: boolean;
  readonly #onOver: () => void;
  readonly #listeners = new Set<() => void>();
  #alive: NodeJS.Timeout | undefined;
  #missedHeartbeats = 0;
  #isOver = false;

  /** @param onOver called once when nothing follows */
  constructor(
    sendMessage: (kind: SinkMessage, message: object) => void,
    timeoutMs: number,
    canStream: boolean,
    onOver: () => void,
  ) {
    this.#sendMessage = sendMessage;
    this.#heartbeatMs = timeoutMs / HEARTBEATS_PER_TIMEOUT;
    this.#canStream = canStream;
    this.#onOver = onOver;
  }

  get canStream(): boolean {
    return this.#canStream && !this.#isOver;
  }

  /** Announces to the other process that messages follow. */
  announce(): void {
    this.#send('relay-taken', {});
    this.#alive = setInterval(() => this.#sendHeartbeat(), this.#heartbeatMs);
    this.#alive.unref();
  }

  /** Records a heartbeat of the other process. */
  recordHeartbeat(): void {
    this.#missedHeartbeats = 0;
  }

  /** Answers the other process that this process has no such request. */
  refuse(): void {
    this.#send('relay-end', { isRefused: true });
    this.#finish();
  }

  /** Records that the client has disconnected. */
  disconnect(): void {
    if (this.#isOver) return;
    this.#finish();
    for (const listener of [...this.#listeners]) listener();
  }

  notify(message: string): void {
    this.#send('relay-event', { message, mayDrop: true });
  }

  send(message: string): boolean {
    if (this.canStream) this.write(message);
    return this.canStream;
  }

  write(message: string, id?: string): void {
    this.#send('relay-event', { message, id });
  }

  prime(id: string): void {
    this.#send('relay-event', { id });
  }

  keepAlive(): void {
    this.#send('relay-event', {});
  }

  end(): void {
    this.#send('relay-end', {});
    this.#finish();
  }

  settle({ message, status }: SettledResponse): void {
    this.#send('relay-end', { message: message && joinText(message), status });
    this.#finish();
  }

  onDisconnect(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends a heartbeat, and treats a process that leaves too many unanswered as dead. */
  #sendHeartbeat(): void {
    if (this.#missedHeartbeats >= HEARTBEATS_PER_TIMEOUT) {
      this.disconnect();
      return;
    }
    this.#missedHeartbeats += 1;
    this.#send('relay-alive', {});
  }

  #send(kind: SinkMessage, message: object): void {
    if (!this.#isOver) this.#sendMessage(kind, message);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#alive);
    this.#onOver();
  }
}

/** A request that a process carries out for the client of another process. */
type RelayPurpose = 'resume' | 'retry' | 'sse';

/** The end of a relay at which the client is. */
interface RelayClient {
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
type RelayHandler = (body: JsonObject, sink: RelayedSink) => boolean;

interface Outgoing {
  readonly to: string;
  readonly client: RelayClient;
  timer: NodeJS.Timeout;
}

/**
 * Relays requests that arrived at the wrong process to the right one, and its messages back. Bounded in number; silence ends a
 * relay.
 */
export class Relays {
  readonly #bus: PeerBus;
  readonly #limits: McpHttpLimits;
  readonly #handlers = new Map<string, RelayHandler>();
  readonly #outgoing = new Map<string, Outgoing>();
  readonly #incoming = new Map<string, RelayedSink>();

  constructor(bus: PeerBus, limits: McpHttpLimits) {
    this.#bus = bus;
    this.#limits = limits;
    bus.on('relay-open', (body, from) => this.#take(body, from));
    bus.on('relay-taken', (body, from) => this.#find(body, from)?.client.onTaken());
    bus.on('relay-alive', (body, from) => {
      if (this.#find(body, from) !== undefined)
        bus.send('relay-heard', { relay: body['relay'] }, from);
    });
    bus.on('relay-heard', ({ relay }) => this.#incoming.get(String(relay))?.recordHeartbeat());
    bus.on('relay-event', (body, from) => this.#find(body, from)?.client.onEvent(body));
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
    this.#outgoing.set(relay, { to, client, timer: this.#startLossTimer(relay) });
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
    const sink = new RelayedSink(
      (kind, message) => this.#bus.send(kind, { ...message, relay }, from),
      this.#limits.peerTimeoutMs,
      body['canStream'] === true,
      () => this.#incoming.delete(relay),
    );
    const isFull = this.size >= this.#limits.maxRelays;
    this.#incoming.set(relay, sink);
    if (isFull || handler?.(body, sink) !== true) sink.refuse();
  }

  #finish(last: JsonObject, from: string): void {
    const outgoing = this.#find(last, from);
    if (outgoing === undefined) return;
    this.#remove(String(last['relay']));
    if (last['isRefused'] === true) outgoing.client.onLost();
    else outgoing.client.onEnd(last);
  }

  /** Returns the relay that a message belongs to; the message counts as a heartbeat. */
  #find({ relay }: JsonObject, from: string): Outgoing | undefined {
    const name = String(relay);
    const outgoing = this.#outgoing.get(name);
    if (outgoing?.to !== from) return undefined;
    clearTimeout(outgoing.timer);
    outgoing.timer = this.#startLossTimer(name);
    return outgoing;
  }

  #startLossTimer(relay: string): NodeJS.Timeout {
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
