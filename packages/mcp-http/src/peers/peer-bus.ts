import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { randomBytes } from 'node:crypto';
import type { Peers } from './peers.ts';

/** What processes tell each other. */
export type PeerKind =
  /** A session was ended by its client. */
  | 'session-ended'
  /** A session has set the level of its log messages. */
  | 'session-level'
  /** Who else has used a session lately? */
  | 'session-used'
  /** Who has a stream of a session? */
  | 'stream-wanted'
  | 'reply'
  /** A message for a stream of a session. */
  | 'stream-message'
  /** A client has answered a question. */
  | 'answered'
  /** A client cancels a call, or reports progress of its answer. */
  | 'notified'
  | 'unsubscribed'
  /** A notification channel of a session was opened: others of its name close. */
  | 'channel-opened'
  | 'relay-open'
  | 'relay-taken'
  | 'relay-event'
  | 'relay-alive'
  | 'relay-heard'
  | 'relay-end'
  | 'relay-cut';

/** Takes a message of another process. */
export type PeerHandler = (body: JsonObject, from: string) => void;

/** What a process asks the others, and how long it waits. */
export interface PeerQuestion {
  readonly kind: PeerKind;
  readonly body: object;
  readonly timeoutMs: number;
}

const OWN_ID = /^[\w-]{1,64}$/;

/** Questions to peers that wait at one moment; more count as unanswered. */
const MAX_PENDING = 10_000;

/** Carries messages between the processes that serve one endpoint; without peers nobody is there. */
export class PeerBus {
  /** Names this process where others, or ids that clients send back, have to. */
  readonly self: string;
  readonly #peers: Peers | undefined;
  readonly #handlers = new Map<string, PeerHandler>();
  readonly #pending = new Map<string, (from: string | undefined) => void>();
  readonly #stop: (() => void) | undefined;

  constructor(peers?: Peers) {
    this.#peers = peers;
    const given = peers?.id ?? '';
    this.self = OWN_ID.test(given) ? given : randomBytes(6).toString('base64url');
    this.#stop = peers?.onMessage((message) => this.#receive(message));
    this.on('reply', ({ question }, from) => this.#pending.get(String(question))?.(from));
  }

  /** Whether there are other processes at all. */
  get hasPeers(): boolean {
    return this.#peers !== undefined;
  }

  /** Whether there is room for another question; without it nobody would be asked. */
  get canAsk(): boolean {
    return this.#pending.size < MAX_PENDING;
  }

  /** Takes messages of one kind. */
  on(kind: PeerKind, handler: PeerHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** Tells all other processes, or one of them. */
  tell(kind: PeerKind, body: object, to?: string): void {
    this.#peers?.send({ mcpHttp: kind, from: this.self, ...(to !== undefined && { to }), body });
  }

  /** Asks all others; gives the first that replies, or `undefined` when nobody does in time. */
  ask({ kind, body, timeoutMs }: PeerQuestion): Promise<string | undefined> {
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
      this.tell(kind, { ...body, question });
    });
  }

  /** Answers a question of `ask` with yes; silence means no. */
  reply({ question }: JsonObject, to: string): void {
    this.tell('reply', { question }, to);
  }

  /** Hears and asks no more. */
  close(): void {
    this.#stop?.();
    for (const settle of [...this.#pending.values()]) settle(undefined);
  }

  #receive(message: unknown): void {
    if (!isJsonObject(message)) return;
    const { mcpHttp: kind, from, to, body } = message;
    if (typeof kind !== 'string' || typeof from !== 'string' || !isJsonObject(body)) return;
    if (from === this.self || (to !== undefined && to !== this.self)) return;
    this.#handlers.get(kind)?.(body, from);
  }
}
