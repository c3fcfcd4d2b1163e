import { type JsonObject, isJsonObject } from '@gateway/call-contract';
import { randomBytes } from 'node:crypto';

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
