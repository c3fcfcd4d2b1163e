import type { LineCounter } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type Node } from 'yaml';

/** A position in a text. Lines and columns start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A path into a document: keys of mappings and indexes of sequences. */
export type DocumentPath = readonly (string | number)[];

interface Step {
  readonly at: number | undefined;
  readonly node: Node | undefined;
}

const startOf = (node: unknown): number | undefined =>
  isNode(node) ? (node.range?.[0] ?? undefined) : undefined;

const asNode = (value: unknown): Node | undefined => (isNode(value) ? value : undefined);

/** Returns the offset of a key or sequence item, and the node that is its value. */
const step = (parent: Node, segment: string | number): Step | undefined => {
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
    return pair && { at: startOf(pair.key), node: asNode(pair.value) };
  }
  if (isSeq(parent) && typeof segment === 'number') {
    const item = parent.items[segment];
    return item === undefined ? undefined : { at: startOf(item), node: asNode(item) };
  }
  return undefined;
};

/**
 * Returns a function that finds the position of a path: that of its key or sequence item. A path that the document does not have is at the
 * position of its deepest existing part.
 */
export const positionsOf =
  (document: Document.Parsed, lines: LineCounter) =>
  (path: DocumentPath): Position => {
    let node: Node | undefined = document.contents ?? undefined;
    let offset = startOf(node) ?? 0;
    for (const segment of path) {
      const parent: Node | undefined = isAlias(node) ? node.resolve(document) : node;
      const found: Step | undefined = parent && step(parent, segment);
      if (found === undefined) break;
      offset = found.at ?? offset;
      node = found.node;
    }
    return positionAt(lines, offset);
  };

/** Returns the position of an offset. */
export const positionAt = (lines: LineCounter, offset: number): Position => {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
};
