import { isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';

/** Where a node begins; 0 for one that was not read from a text. */
export const startOf = (node: Node): number => node.range?.[0] ?? 0;

/** Whether nothing is written where the node stands, which means null. */
export const isUnwritten = (node: Node): boolean =>
  isScalar(node) && node.range?.[0] === node.range?.[1];

/** Whether a node is a mapping or a list in lines. */
export const isInLines = (node: unknown): boolean =>
  (isMap(node) || isSeq(node)) && node.flow !== true;

/** Where the colon behind a key ends; undefined for keys that are written otherwise than `key:`. */
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

/** Where what a node says ends: neither comments nor line breaks behind it count. */
export const contentEndOf = (text: string, node: Node): number => {
  const last = isInLines(node) ? lastPartEnd(text, node) : undefined;
  if (last !== undefined) return last;
  let end = node.range?.[1] ?? 0;
  while (end > startOf(node) && /[\r\n]/.test(text[end - 1] ?? '')) end -= 1;
  return end;
};
