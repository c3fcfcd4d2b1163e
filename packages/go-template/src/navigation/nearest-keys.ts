const MAX_COMPARED = 256;
const MAX_SHOWN = 3;
const MAX_KEY_CHARS = 64;

/** A row of the classic table: how far the first letters of one text are from the first letters of another. */
type Row = readonly number[];

const cell = (row: Row, at: number): number => row[at] ?? 0;

/** Returns the edit distance of two short texts: insertions, deletions, replacements and swaps of neighbours. */
const distance = (left: string, right: string): number => {
  let before: Row = [];
  let row: Row = Array.from({ length: right.length + 1 }, (_unused, index) => index);
  for (let at = 0; at < left.length; at += 1) {
    const next = [at + 1];
    for (let other = 0; other < right.length; other += 1) {
      const changed = cell(row, other) + (left[at] === right[other] ? 0 : 1);
      const isSwap = left[at] === right[other - 1] && left[at - 1] === right[other];
      const swapped = isSwap ? cell(before, other - 1) + 1 : changed;
      next.push(Math.min(changed, swapped, cell(row, other + 1) + 1, cell(next, other) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
};

const shown = (key: string): string =>
  JSON.stringify(key.length > MAX_KEY_CHARS ? `${key.slice(0, MAX_KEY_CHARS)}...` : key);

/**
 * Returns the keys that are most similar to a missing key, as the end of a sentence: `nearest keys: "name", "names"`. Compares
 * the first 256 keys and the first 64 characters of each.
 */
export const nearestKeysText = (keys: readonly string[], wanted: string): string => {
  if (keys.length === 0) return 'it has no keys';
  const folded = wanted.slice(0, MAX_KEY_CHARS).toLowerCase();
  const nearest = keys
    .slice(0, MAX_COMPARED)
    .map((key) => ({ key, far: distance(folded, key.slice(0, MAX_KEY_CHARS).toLowerCase()) }))
    .sort((a, b) => a.far - b.far || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_SHOWN)
    .map(({ key }) => shown(key));
  return `nearest ${nearest.length === 1 ? 'key' : 'keys'}: ${nearest.join(', ')}`;
};
