import { Document, isNode, isScalar, isSeq, Scalar, visit, type Node, type Pair } from 'yaml';
import { isInLines, startOf } from './yaml-extent.ts';

/** The layout of a file, which additions follow. */
export interface YamlLayout {
  /** The number of spaces of one level. */
  readonly indent: number;
  /** True when the dashes of a sequence are indented relative to its key. */
  readonly indentSeq: boolean;
  readonly lineBreak: '\n' | '\r\n';
}

const DEFAULT_INDENT = 2;
const MAX_INDENT = 8;

const columnOf = (text: string, offset: number): number =>
  offset - (text.lastIndexOf('\n', offset - 1) + 1);

/** Returns the indentation of a block collection relative to its key. */
const innerOf = (text: string, { key, value }: Pair): number | undefined => {
  if (!isNode(key) || !isNode(value) || !isInLines(value)) return undefined;
  return columnOf(text, startOf(value)) - columnOf(text, startOf(key));
};

/** Returns the layout of a text, by its first nested mapping and its first nested sequence. */
export const layoutOf = (text: string, document: Document): YamlLayout => {
  let indent: number | undefined;
  let indentSeq: boolean | undefined;
  visit(document, {
    Pair: (_key, pair) => {
      const inner = innerOf(text, pair);
      if (inner === undefined) return;
      if (isSeq(pair.value)) indentSeq ??= inner > 0;
      else if (inner > 0 && inner <= MAX_INDENT) indent ??= inner;
    },
  });
  return {
    indent: indent ?? DEFAULT_INDENT,
    indentSeq: indentSeq ?? true,
    lineBreak: text.includes('\r\n') ? '\r\n' : '\n',
  };
};

const QUOTED: ReadonlySet<unknown> = new Set(['QUOTE_DOUBLE', 'QUOTE_SINGLE']);

const nodeOf = (document: Document, value: unknown, before: Node | undefined): Node => {
  const node = document.createNode(value, { aliasDuplicateObjects: false }) as Node;
  if (isScalar(node) && typeof value === 'string' && isScalar(before) && QUOTED.has(before.type)) {
    node.type = before.type === 'QUOTE_SINGLE' ? Scalar.QUOTE_SINGLE : Scalar.QUOTE_DOUBLE;
  }
  return node;
};

/** A value to print, and its context. */
export interface PrintRequest {
  readonly value: unknown;
  /** The token before the value: the colon of a key or the dash of a sequence. */
  readonly behind: 'key' | 'dash';
  /** The column of the key or the dash. */
  readonly column: number;
  readonly layout: YamlLayout;
  /** The replaced value: a quoted string stays quoted. */
  readonly before?: Node | undefined;
}

/** Returns the text that follows `key:` or `-`, without a line break at its end. It may have several lines. */
export const printBehind = ({ value, behind, column, layout, before }: PrintRequest): string => {
  const document = new Document(null, { schema: 'core', compat: 'yaml-1.1' });
  const node = nodeOf(document, value, before);
  const { indent, indentSeq, lineBreak } = layout;
  // The library indents such sequences by two spaces, independent of the option.
  const isFlush = behind === 'key' && !indentSeq && isSeq(node) && node.items.length > 0;
  const contents = behind === 'key' ? { k: node } : [node];
  document.contents = isFlush ? node : document.createNode(contents);
  const printed = document.toString({ lineWidth: 0, indent, indentSeq }).replace(/\n$/, '');
  const [first = '', ...rest] = (isFlush ? `k:\n${printed}` : printed).split('\n');
  const margin = ' '.repeat(column);
  const lines = rest.map((line) => (line === '' ? '' : margin + line));
  return [first.slice(behind === 'key' ? 2 : 1), ...lines].join(lineBreak);
};

/** Returns `key: value` as indented lines, without a line break at the end. */
export const printPair = (
  key: string,
  value: unknown,
  { column, layout }: Pick<PrintRequest, 'column' | 'layout'>,
): string => {
  const name = new Document(key, { schema: 'core', compat: 'yaml-1.1' });
  const printedKey = name.toString({ lineWidth: 0 }).trimEnd();
  const safe = printedKey.includes('\n') ? JSON.stringify(key) : printedKey;
  const behind = printBehind({ value, behind: 'key', column, layout });
  return `${' '.repeat(column)}${safe}:${behind}`;
};
