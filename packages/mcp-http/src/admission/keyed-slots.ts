import { CallSlots, type SlotLimits } from './call-slots.ts';

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
