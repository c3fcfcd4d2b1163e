/** A line of one of two texts, or of both. */
export interface DiffLine {
  readonly mark: '+' | '-' | ' ';
  readonly line: string;
}

/** Beyond this number of compared pairs, the differing part is shown as removed and added. */
const MAX_PAIRS = 4_000_000;

/** Returns the lines of a text; a line break at its end adds none. */
export const linesOf = (text: string): readonly string[] => {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

const marked = (mark: DiffLine['mark'], lines: readonly string[]): readonly DiffLine[] =>
  lines.map((line) => ({ mark, line }));

const commonLength = (a: readonly string[], b: readonly string[]): number => {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at += 1;
  return at;
};

/** Two lists of lines, with the lengths of the longest common subsequences of their ends. */
interface Compared {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly lengths: readonly Uint32Array[];
}

/** Lengths of the longest common subsequences of the ends of two lists, row by row. */
const lengthsOf = (a: readonly string[], b: readonly string[]): readonly Uint32Array[] => {
  const rows = a.map(() => new Uint32Array(b.length + 1));
  rows.push(new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = rows[i];
      if (row === undefined) continue;
      const below = rows[i + 1];
      row[j] =
        a[i] === b[j] ? (below?.[j + 1] ?? 0) + 1 : Math.max(below?.[j] ?? 0, row[j + 1] ?? 0);
    }
  return rows;
};

const lengthAt = (lengths: Compared['lengths'], i: number, j: number): number =>
  lengths[i]?.[j] ?? 0;

const step = (
  { a, b, lengths }: Compared,
  i: number,
  j: number,
): readonly [DiffLine, number, number] => {
  const [removed, added] = [a[i], b[j]];
  if (removed !== undefined && removed === added)
    return [{ mark: ' ', line: removed }, i + 1, j + 1];
  const isRemoved =
    added === undefined || lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1);
  return removed !== undefined && isRemoved
    ? [{ mark: '-', line: removed }, i + 1, j]
    : [{ mark: '+', line: added ?? '' }, i, j + 1];
};

const compared = (a: readonly string[], b: readonly string[]): readonly DiffLine[] => {
  if (a.length * b.length > MAX_PAIRS) return [...marked('-', a), ...marked('+', b)];
  const both = { a, b, lengths: lengthsOf(a, b) };
  const result: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const [line, nextI, nextJ] = step(both, i, j);
    result.push(line);
    i = nextI;
    j = nextJ;
  }
  return result;
};

/** Returns the lines of two texts with their differences, in order. */
export const lineDiff = (before: string, after: string): readonly DiffLine[] => {
  const a = linesOf(before);
  const b = linesOf(after);
  const start = commonLength(a, b);
  const end = commonLength(a.slice(start).toReversed(), b.slice(start).toReversed());
  return [
    ...marked(' ', a.slice(0, start)),
    ...compared(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...marked(' ', a.slice(a.length - end)),
  ];
};
