/** Size of a block for small chunks. */
const BLOCK_BYTES = 4 * 1024;

/** Collects copies of chunks. Small ones share blocks, because an object for a chunk of one byte has a hundred times its size. */
export class ByteCollector {
  #parts: Buffer[] = [];
  #block = Buffer.alloc(0);
  #used = 0;

  /** Returns whether nothing was collected. */
  get isEmpty(): boolean {
    return this.#used === 0;
  }

  push(chunk: Buffer): void {
    if (chunk.length > this.#block.length - this.#used) {
      if (this.#used > 0) this.#parts.push(this.#block.subarray(0, this.#used));
      this.#block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, chunk.length));
      this.#used = 0;
    }
    this.#used += chunk.copy(this.#block, this.#used);
  }

  /** Returns all bytes, followed by those of `last`, and begins again. */
  take(last: Buffer = Buffer.alloc(0)): Buffer {
    const whole = Buffer.concat([...this.#parts, this.#block.subarray(0, this.#used), last]);
    this.clear();
    return whole;
  }

  clear(): void {
    this.#parts = [];
    this.#block = Buffer.alloc(0);
    this.#used = 0;
  }
}
