import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  visit,
} from 'yaml';

/** Returns the start of the line of an offset. */
export const findLineStart = (text: string, at: number): number =>
  text.lastIndexOf('\n', at - 1) + 1;

/** Returns the end of the line of an offset, before its line break. */
export const findLineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  if (end === -1) return text.length;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
};

/** Returns the start of the next line, or the end of the text. */
export const findNextLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

/** Returns whether there are only blanks between two offsets. */
export const isBlankBetween = (text: string, start: number, end: number): boolean =>
  start <= end && /^[ \t]*$/.test(text.slice(start, end));

/** Returns the end of the last line with content between two offsets; the first offset without one. */
export const findLastTextEnd = (text: string, start: number, end: number): number => {
  let at = end;
  while (at > start && /[\r\n]/.test(text[at - 1] ?? '')) at -= 1;
  return at;
};

/** Returns the start offset of a node; 0 for a node that was not parsed from a text. */
export const findStart = (node: Node): number => node.range?.[0] ?? 0;

/** Returns whether the node is an empty text, which means null. */
export const isUnwritten = (node: Node): boolean =>
  isScalar(node) && node.range?.[0] === node.range?.[1];

/** Returns whether a node is a block mapping or a block sequence. */
export const isInLines = (node: unknown): boolean =>
  (isMap(node) || isSeq(node)) && node.flow !== true;

/** Returns the end offset of the colon after a key; undefined for keys not written as `key:`. */
export const findColonEnd = (text: string, { key }: Pair): number | undefined => {
  const end = isNode(key) ? key.range?.[1] : undefined;
  if (end === undefined) return undefined;
  const gap = /^[ \t]*:/.exec(text.slice(end, text.indexOf(':', end) + 1));
  return gap === null ? undefined : end + gap[0].length;
};

const findPairEnd = (text: string, pair: Pair): number => {
  const { key, value } = pair;
  if (isNode(value) && !isUnwritten(value)) return findContentEnd(text, value);
  return findColonEnd(text, pair) ?? (isNode(key) ? (key.range?.[1] ?? 0) : 0);
};

const findLastPartEnd = (text: string, node: Node): number | undefined => {
  if (isMap(node)) {
    const pair = node.items.at(-1);
    return pair && findPairEnd(text, pair);
  }
  const item = isSeq(node) ? node.items.at(-1) : undefined;
  return isNode(item) ? findContentEnd(text, item) : undefined;
};

/** Returns whether the last line breaks of a node are part of its text: those of `|+` and `>+`. */
const hasTextBreaks = (node: Node): boolean =>
  isScalar(node) &&
  (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') &&
  /(?:^|\n)\n$/.test(String(node.value));

/** Returns the offset before one line break. */
const findBreakStart = (text: string, at: number): number => {
  if (text[at - 1] !== '\n') return at;
  return text[at - 2] === '\r' ? at - 2 : at - 1;
};

/** Returns the end offset of the content of a node, without trailing comments and line breaks. */
export const findContentEnd = (text: string, node: Node): number => {
  const last = isInLines(node) ? findLastPartEnd(text, node) : undefined;
  if (last !== undefined) return last;
  let end = node.range?.[1] ?? 0;
  if (hasTextBreaks(node)) return findBreakStart(text, end);
  while (end > findStart(node) && /[\r\n]/.test(text[end - 1] ?? '')) end -= 1;
  return end;
};

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

const findColumn = (text: string, offset: number): number =>
  offset - (text.lastIndexOf('\n', offset - 1) + 1);

/** Returns the indentation of a block collection relative to its key. */
const listInner = (text: string, { key, value }: Pair): number | undefined => {
  if (!isNode(key) || !isNode(value) || !isInLines(value)) return undefined;
  return findColumn(text, findStart(value)) - findColumn(text, findStart(key));
};

/** Returns the layout of a text, by its first nested mapping and its first nested sequence. */
export const readLayout = (text: string, document: Document): YamlLayout => {
  let indent: number | undefined;
  let indentSeq: boolean | undefined;
  visit(document, {
    Pair: (_key, pair) => {
      const inner = listInner(text, pair);
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

const toNode = (document: Document, value: unknown, before: Node | undefined): Node => {
  const node = document.createNode(value, { aliasDuplicateObjects: false }) as Node;
  if (isScalar(node) && typeof value === 'string' && isScalar(before) && QUOTED.has(before.type)) {
    node.type = before.type === 'QUOTE_SINGLE' ? Scalar.QUOTE_SINGLE : Scalar.QUOTE_DOUBLE;
  }
  return node;
};

/** A value to print, and its context. */
interface PrintRequest {
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
  const node = toNode(document, value, before);
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
