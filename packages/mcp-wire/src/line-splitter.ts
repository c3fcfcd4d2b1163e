const NEWLINE = 0x0a;

/** The result of a chunk. */
export type SplitOutcome = { readonly ok: true } | { readonly ok: false };

/** Splits a byte stream into lines of bounded length. */
export interface LineSplitter {
  /**
   * Processes the next bytes and calls `onLine` for each completed line, without its line end. After a line that exceeds the bound it
   * returns `ok: false` and discards its buffer.
   */
  push(chunk: Uint8Array): SplitOutcome;
  /** Returns and discards the incomplete line. */
  flush(): Uint8Array;
}

/**
 * Returns a splitter that buffers at most `maxBytes` of an incomplete line.
 *
 * @param maxBytes maximum length of a line in bytes
 */
export const createLineSplitter = (
  maxBytes: number,
  onLine: (line: Uint8Array) => void,
): LineSplitter => {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const take = (): Uint8Array => {
    const [only] = held;
    const line = held.length === 1 && only !== undefined ? only : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    const end = line.length > 0 && line[line.length - 1] === 0x0d ? line.length - 1 : line.length;
    return line.subarray(0, end);
  };
  const hold = (part: Uint8Array): boolean => {
    heldBytes += part.length;
    if (heldBytes > maxBytes) {
      held = [];
      heldBytes = 0;
      return false;
    }
    held.push(part);
    return true;
  };
  return {
    push(chunk) {
      let from = 0;
      for (;;) {
        const end = chunk.indexOf(NEWLINE, from);
        if (end === -1) break;
        if (!hold(chunk.subarray(from, end))) return { ok: false };
        onLine(take());
        from = end + 1;
      }
      if (from < chunk.length && !hold(chunk.subarray(from))) return { ok: false };
      return { ok: true };
    },
    flush: take,
  };
};
