/** Numbers of vectors that are multiplied before other work of the process gets its turn: a few milliseconds. */
export const SLICE_NUMBERS = 2_000_000;

/** Returns the similarity of two vectors of one length, each of length 1: between -1 and 1. */
function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Scored {
  readonly index: number;
  readonly value: number;
}

/**
 * Returns the indexes of the vectors that are most similar to a vector, best first; vectors of another length are left out. After each
 * {@link SLICE_NUMBERS} numbers other work of the process runs. `undefined` when the signal aborts meanwhile.
 */
export async function nearest(
  vector: Float32Array,
  vectors: readonly (Float32Array | undefined)[],
  count: number,
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  const scored: Scored[] = [];
  let numbers = 0;
  for (const [index, one] of vectors.entries()) {
    if (one?.length !== vector.length) continue;
    scored.push({ index, value: similarity(vector, one) });
    numbers += vector.length;
    if (numbers < SLICE_NUMBERS) continue;
    numbers = 0;
    await nextTurn();
    if (signal.aborted) return undefined;
  }
  return scored
    .sort((a, b) => b.value - a.value || a.index - b.index)
    .slice(0, count)
    .map(({ index }) => index);
}
