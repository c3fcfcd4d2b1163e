/** A range of a text and its replacement. Offsets count UTF-16 units. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the text with every replacement applied; undefined when two of them overlap. Insertions at one offset keep their order. */
export const withSplices = (text: string, splices: readonly Splice[]): string | undefined => {
  let at = 0;
  let result = '';
  for (const { start, end, text: next } of splices.toSorted((a, b) => a.start - b.start)) {
    if (start < at) return undefined;
    result += text.slice(at, start) + next;
    at = end;
  }
  return result + text.slice(at);
};
