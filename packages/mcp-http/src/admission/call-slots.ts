import { FairQueue, type Turn } from '@gateway/call-contract';

/** The number of calls of one resource that run, and that wait, at one moment. */
interface SlotLimits {
  readonly maxRunning: number;
  readonly maxQueued: number;
}

/** Removes a waiting call from its queue; without effect once it has started. */
type Withdraw = () => void;

/** The slots of one resource with a bounded queue. A released slot goes to the users in turn, and to the runs of a user in turn. */
export class CallSlots {
  readonly #limits: SlotLimits;
  readonly #queue = new FairQueue<() => void>();
  #running = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#queue.size;
  }

  /** Number of calls that can be started or queued now. */
  get capacity(): number {
    const { maxRunning, maxQueued } = this.#limits;
    return maxRunning - this.#running + maxQueued - this.queued;
  }

  /** Takes a slot. Returns `false` when none is free. */
  take(): boolean {
    if (this.#running >= this.#limits.maxRunning) return false;
    this.#running += 1;
    return true;
  }

  /**
   * Queues a call until a slot is released to it.
   *
   * @param start called with the slot taken
   * @returns `undefined` when the queue is full
   */
  wait(turn: Turn, start: () => void): Withdraw | undefined {
    if (this.queued >= this.#limits.maxQueued) return undefined;
    this.#queue.add(start, turn);
    return () => {
      this.#queue.remove(start, turn);
    };
  }

  /** Returns a slot, which starts the next waiting call. */
  release(): void {
    this.#running -= 1;
    const start = this.#queue.take();
    if (start === undefined) return;
    this.#running += 1;
    start();
  }
}

/** Idle slots that stay for their next call. */
const MAX_IDLE = 256;

/** The slots of many resources, by key. Unused slots are removed, so that keys from outside occupy no memory. */
export class KeyedSlots {
  readonly #limits: SlotLimits;
  readonly #slots = new Map<string, CallSlots>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Returns the slots of a key. Take one, or wait for one, before anything else calls this. */
  of(key: string): CallSlots {
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    if (this.#slots.size >= MAX_IDLE) this.#removeIdle();
    const slots = new CallSlots(this.#limits);
    this.#slots.set(key, slots);
    return slots;
  }

  /** Returns the slots of a key that is in use. */
  peek(key: string): CallSlots | undefined {
    return this.#slots.get(key);
  }

  /** The keys in use with their slots. */
  entries(): IterableIterator<[string, CallSlots]> {
    return this.#slots.entries();
  }

  #removeIdle(): void {
    for (const [key, slots] of this.#slots) if (slots.running === 0) this.#slots.delete(key);
  }
}
