import type { RecordBlobs } from '@gateway/call-contract';

/** A storage in memory that can be slow, or broken in one of its operations. */
export class TestBlobs implements RecordBlobs {
  readonly texts = new Map<string, string>();
  /** What was asked, in order: `write run-1 completed`. */
  readonly log: string[] = [];
  broken: 'list' | 'read' | 'write' | 'remove' | undefined;
  /** The largest number of operations that ran at once, in all and for one id. */
  most = { atOnce: 0, forOne: 0 };
  readonly #running: string[] = [];
  #gate: Promise<void> | undefined;
  #open: (() => void) | undefined;

  /** Lets no operation end until `open`. */
  close(): void {
    this.#gate = new Promise((resolve) => (this.#open = resolve));
  }

  open(): void {
    this.#open?.();
    this.#gate = undefined;
  }

  list(): Promise<readonly string[]> {
    return this.#operation('list', '', () => [...this.texts.keys()]);
  }

  read(id: string): Promise<string | undefined> {
    return this.#operation('read', id, () => this.texts.get(id));
  }

  write(id: string, text: string): Promise<void> {
    this.log.push(`write ${id} ${(JSON.parse(text) as { status: string }).status}`);
    return this.#operation('write', id, () => void this.texts.set(id, text));
  }

  remove(id: string): Promise<void> {
    this.log.push(`remove ${id}`);
    return this.#operation('remove', id, () => void this.texts.delete(id));
  }

  async #operation<T>(kind: TestBlobs['broken'], id: string, act: () => T): Promise<T> {
    this.#running.push(id);
    this.most = {
      atOnce: Math.max(this.most.atOnce, this.#running.length),
      forOne: Math.max(this.most.forOne, this.#running.filter((one) => one === id).length),
    };
    try {
      await (this.#gate ?? Promise.resolve());
      if (this.broken === kind) throw new Error(`${kind ?? ''} is broken`);
      return act();
    } finally {
      this.#running.splice(this.#running.indexOf(id), 1);
    }
  }
}
