/** The most names that are compared. */
const MAX_NAMES = 20_000;

/** The most characters of a name that is compared. */
const MAX_CHARS = 200;

/** Returns the next row of the table of distances: insertions, deletions and replacements of characters cost 1. Wagner and Fischer (1974) */
const nextRow = (row: readonly number[], char: string, other: string): readonly number[] => {
  const next = [(row[0] ?? 0) + 1];
  for (let at = 1; at < row.length; at += 1) {
    const replaced = (row[at - 1] ?? 0) + (other[at - 1] === char ? 0 : 1);
    next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
  }
  return next;
};

const distanceOf = (name: string, other: string): number => {
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const char of name.split('')) row = nextRow(row, char, other);
  return row.at(-1) ?? 0;
};

/**
 * Returns the name that differs least from another one, ignoring case; `undefined` when the name is among them, and when all differ in more than
 * a third of its characters: at least 1, and 2 from 4 characters on, so that two neighbours may be swapped.
 */
export function similarName(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_CHARS || names.includes(name)) return undefined;
  let most = Math.max(name.length < 4 ? 1 : 2, Math.floor(name.length / 3));
  let best: string | undefined;
  for (const other of names.slice(0, MAX_NAMES)) {
    if (other.length > MAX_CHARS || Math.abs(other.length - name.length) > most) continue;
    const distance = distanceOf(name.toLowerCase(), other.toLowerCase());
    if (distance > most) continue;
    best = other;
    most = distance - 1;
    if (most < 0) break;
  }
  return best;
}
