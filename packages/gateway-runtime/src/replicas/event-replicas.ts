import { isJsonObject } from '@gateway/call-contract';
import {
  parseStoredEvent,
  type EventExchange,
  type HistoryEvent,
  type StoredEvent,
} from '@gateway/events';
import type { Peers } from '@gateway/mcp-http';
import { LRUCache } from 'lru-cache';

/** Times of an exchange, in milliseconds. */
export interface EventReplicaTimes {
  /** Events that follow within this time are sent together. */
  readonly gatherMs: number;
  /** How long earlier events of other processes are waited for. */
  readonly historyMs: number;
  /** How often a process says which event was its last one, so that a lost message is noticed. */
  readonly headMs: number;
  /** How long the answer to a request for lost events is waited for. */
  readonly repairMs: number;
}

const TIMES: EventReplicaTimes = {
  gatherMs: 50,
  historyMs: 500,
  headMs: 10_000,
  repairMs: 5_000,
};

/** Events of one message. */
const MAX_EVENTS = 500;
/** Occurrences that wait to be sent. */
const MAX_QUEUE = 5_000;
/** Events of each kind that a process which starts receives. */
const MAX_HISTORY = 1_000;
/** Other processes that are remembered. */
const MAX_PROCESSES = 256;

/** The known state of another process. */
interface Known {
  /** The number of its last event that is known. */
  readonly last: number;
  /** Until then its answer to a request for lost events is waited for. */
  readonly repairedUntil?: number;
}

type Kind = 'events' | 'head' | 'want' | 'lost' | 'want-history' | 'history';

interface Message {
  readonly kind: Kind;
  readonly from: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const readNumber = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;

const toEvents = (value: unknown): readonly StoredEvent[] =>
  Array.isArray(value) ? value.flatMap((event: unknown) => parseStoredEvent(event) ?? []) : [];

const listHistory = (value: unknown): readonly HistoryEvent[] =>
  (Array.isArray(value) ? value : []).flatMap((item: unknown) => {
    if (!isJsonObject(item)) return [];
    const event = parseStoredEvent(item['event']);
    if (event === undefined) return [];
    const { own } = item;
    if (!isJsonObject(own)) return [{ event }];
    const [firstAt, lastAt, count] = [own['firstAt'], own['lastAt'], own['count']].map(readNumber);
    return [{ event, own: { firstAt: firstAt ?? 0, lastAt: lastAt ?? 0, count: count ?? 0 } }];
  });

/**
 * Exchanges events with the processes that share a state store: each sends what it records, and adds what the others send. Numbers show a
 * process that messages were lost, for which it then asks.
 */
export class EventReplicas {
  readonly #peers: Peers;
  readonly #times: EventReplicaTimes;
  readonly #known = new LRUCache<string, Known>({ max: MAX_PROCESSES });
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stop: () => void;
  #exchange: EventExchange | undefined;
  #sent = 0;
  /** Occurrences that are not sent, in their order; absent when there were too many of them. */
  #queue: StoredEvent[] | undefined = [];
  #gathering: NodeJS.Timeout | undefined;
  #isClosed = false;
  #historyRead = (): void => undefined;

  constructor(peers: Peers, times: Partial<EventReplicaTimes> = {}) {
    this.#peers = peers;
    this.#times = { ...TIMES, ...times };
    this.#stop = peers.onMessage((message) => this.#receive(message));
  }

  /** Reads the earlier events of other processes, and begins to send and to receive. */
  readonly join = async (exchange: EventExchange): Promise<void> => {
    if (this.#isClosed) return;
    this.#exchange = exchange;
    const isRead = new Promise<void>((resolve) => {
      this.#historyRead = resolve;
      this.#timers.add(setTimeout(resolve, this.#times.historyMs).unref());
    });
    this.#send('want-history', {});
    await isRead;
    if (this.#exchange !== exchange) return;
    exchange.onOwn((event) => {
      this.#queue?.push(event);
      if ((this.#queue?.length ?? 0) > MAX_QUEUE) this.#queue = undefined;
      this.#gathering ??= setTimeout(() => this.#flush(), this.#times.gatherMs).unref();
    });
    const head = (): void => this.#send('head', { last: this.#sent });
    this.#timers.add(setInterval(head, this.#times.headMs).unref());
  };

  /** Sends the last events, and ends the exchange, also while earlier events of others are waited for. */
  close(): void {
    this.#isClosed = true;
    this.#flush();
    this.#stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#exchange = undefined;
    this.#historyRead();
  }

  #flush(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    for (let events = this.#next(); events.length > 0; events = this.#next()) {
      const last = events.at(-1)?.id ?? this.#sent;
      this.#send('events', { previous: this.#sent, last, events });
      this.#sent = last;
    }
    this.#queue ??= [];
  }

  /** Returns the next events to send: each occurrence, or the latest states of events when there were too many occurrences. */
  #next(): readonly StoredEvent[] {
    if (this.#queue !== undefined) return this.#queue.splice(0, MAX_EVENTS);
    return this.#exchange?.ownAfter(this.#sent, MAX_EVENTS) ?? [];
  }

  #receive(value: unknown): void {
    const message = formatMessage(value, this.#peers.id);
    if (message === undefined || this.#exchange === undefined) return;
    const { kind, from, body } = message;
    const handlers: Readonly<Record<Kind, () => void>> = {
      events: () => this.#takeEvents(this.#exchange, message),
      head: () => this.#compare(from, readNumber(body['last'])),
      want: () => this.#sendLost(this.#exchange, message),
      lost: () => this.#takeLost(this.#exchange, message),
      'want-history': () => this.#sendHistory(this.#exchange, from),
      history: () => this.#takeHistory(this.#exchange, message),
    };
    handlers[kind]();
  }

  #takeEvents(exchange: EventExchange | undefined, { from, body }: Message): void {
    const last = readNumber(body['last']);
    // The answer to the request for lost events has these too.
    if (this.#isRepaired(from)) return;
    if (!this.#compare(from, readNumber(body['previous']))) return;
    for (const event of toEvents(body['events'])) exchange?.merge(event, from);
    this.#known.set(from, { last });
  }

  /** Returns whether all events of a process up to a number are known, and asks for them otherwise. */
  #compare(from: string, number: number): boolean {
    const known = this.#known.get(from);
    if (known === undefined) {
      this.#known.set(from, { last: number });
      return true;
    }
    if (number <= known.last) return true;
    if (this.#isRepaired(from)) return false;
    this.#known.set(from, {
      last: known.last,
      repairedUntil: performance.now() + this.#times.repairMs,
    });
    this.#send('want', { after: known.last }, from);
    return false;
  }

  #isRepaired(from: string): boolean {
    return (this.#known.get(from)?.repairedUntil ?? 0) > performance.now();
  }

  #sendLost(exchange: EventExchange | undefined, { from, body }: Message): void {
    let after = readNumber(body['after']);
    for (;;) {
      const events = exchange?.ownAfter(after, MAX_EVENTS) ?? [];
      after = events.at(-1)?.id ?? after;
      const isLast = events.length < MAX_EVENTS;
      this.#send(
        'lost',
        { events, isLast, last: isLast ? Math.max(after, this.#sent) : after },
        from,
      );
      if (isLast) return;
    }
  }

  #takeLost(exchange: EventExchange | undefined, { from, body }: Message): void {
    for (const event of toEvents(body['events'])) exchange?.merge(event, from);
    const known = this.#known.get(from);
    const last = readNumber(body['last']);
    this.#known.set(from, body['isLast'] === true ? { last } : { ...known, last });
  }

  #sendHistory(exchange: EventExchange | undefined, to: string): void {
    const found = exchange?.history(MAX_HISTORY) ?? [];
    const count = Math.max(1, Math.ceil(found.length / MAX_EVENTS));
    for (let part = 0; part < count; part += 1) {
      const events = found.slice(part * MAX_EVENTS, (part + 1) * MAX_EVENTS);
      this.#send('history', { events, last: this.#sent, isLast: part === count - 1 }, to);
    }
  }

  #takeHistory(exchange: EventExchange | undefined, { from, body }: Message): void {
    for (const event of listHistory(body['events'])) exchange?.mergeHistory(event, from);
    if (body['isLast'] !== true) return;
    this.#known.set(from, { last: readNumber(body['last']) });
    this.#historyRead();
  }

  #send(kind: Kind, body: object, to?: string): void {
    this.#peers.send({ kind, from: this.#peers.id, ...(to !== undefined && { to }), body });
  }
}

const KINDS: ReadonlySet<unknown> = new Set<Kind>([
  ...(['events', 'head', 'want', 'lost', 'want-history', 'history'] as const),
]);

const isKind = (value: unknown): value is Kind => KINDS.has(value);

/** Returns a message of another process to this one or to all. */
const formatMessage = (value: unknown, self: string): Message | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { kind, from, to, body } = value;
  if (!isKind(kind) || typeof from !== 'string' || from === self) return undefined;
  if (to !== undefined && to !== self) return undefined;
  return isJsonObject(body) ? { kind, from, body } : undefined;
};
