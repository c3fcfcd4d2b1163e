import { isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';

/** Returns the start offset of a node; 0 for a node that was not parsed from a text. */
export const startOf = (node: Node): number => node.range?.[0] ?? 0;

/** Returns whether the node is an empty text, which means null. */
export const isUnwritten = (node: Node): boolean =>
  isScalar(node) && node.range?.[0] === node.range?.[1];

/** Returns whether a node is a block mapping or a block sequence. */
export const isInLines = (node: unknown): boolean =>
  (isMap(node) || isSeq(node)) && node.flow !== true;

/** Returns the end offset of the colon after a key; undefined for keys not written as `key:`. */
export const colonEndOf = (text: string, { key }: Pair): number | undefined => {
  const end = isNode(key) ? key.range?.[1] : undefined;
  if (end === undefined) return undefined;
  const gap = /^[ \t]*:/.exec(text.slice(end, text.indexOf(':', end) + 1));
  return gap === null ? undefined : end + gap[0].length;
};

const pairEnd = (text: string, pair: Pair): number => {
  const { key, value } = pair;
  if (isNode(value) && !isUnwritten(value)) return contentEndOf(text, value);
  return colonEndOf(text, pair) ?? (isNode(key) ? (key.range?.[1] ?? 0) : 0);
};

const lastPartEnd = (text: string, node: Node): number | undefined => {
  if (isMap(node)) {
    const pair = node.items.at(-1);
    return pair && pairEnd(text, pair);
  }
  const item = isSeq(node) ? node.items.at(-1) : undefined;
  return isNode(item) ? contentEndOf(text, item) : undefined;
};

/** Returns whether the last line breaks of a node are part of its text: those of `|+` and `>+`. */
const keepsBreaks = (node: Node): boolean =>
  isScalar(node) &&
  (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') &&
  /(?:^|\n)\n$/.test(String(node.value));

/** Returns the offset before one line break. */
const beforeBreak = (text: string, at: number): number => {
  if (text[at - 1] !== '\n') return at;
  return text[at - 2] === '\r' ? at - 2 : at - 1;
};

/** Returns the end offset of the content of a node, without trailing comments and line breaks. */
export const contentEndOf = (text: string, node: Node): number => {
  const last = isInLines(node) ? lastPartEnd(text, node) : undefined;
  if (last !== undefined) return last;
  let end = node.range?.[1] ?? 0;
  if (keepsBreaks(node)) return beforeBreak(text, end);
  while (end > startOf(node) && /[\r\n]/.test(text[end - 1] ?? '')) end -= 1;
  return end;
};
