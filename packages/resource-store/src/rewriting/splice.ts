/** A piece of a text that another text takes the place of. Offsets count UTF-16 units. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all of them done; undefined when two of them meet. Those of one place stay in their order. */
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
