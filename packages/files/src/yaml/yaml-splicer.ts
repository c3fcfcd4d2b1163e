import { isJsonObject } from '@gateway/call-contract';
import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Mapping } from '../merge-patch.ts';
import {
  findColonEnd,
  findContentEnd,
  findLastTextEnd,
  findLineEnd,
  findLineStart,
  findNextLine,
  findStart,
  isBlankBetween,
  isInLines,
  isUnwritten,
  printBehind,
  printPair,
  readLayout,
  type YamlLayout,
} from './yaml-layout.ts';

/** A range of a text and its replacement. Offsets count UTF-16 units. */
interface Splice {
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

/** The style of strings in a flow collection. */
interface FlowStyle {
  readonly quote: 'none' | 'single' | 'double';
  /** True when the brackets have spaces inside. */
  readonly isPadded: boolean;
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_./-]*$/;
const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;

const findFirstText = (node: Node): { readonly type?: unknown } | undefined => {
  const values = isMap(node) ? node.items.map(({ value }) => value) : isSeq(node) ? node.items : [];
  return values.find((value) => isScalar(value) && typeof value.value === 'string') as
    { readonly type?: unknown } | undefined;
};

/** Returns the style of an existing flow collection; that of JSON when it has no strings. */
const readFlowStyle = (text: string, node: Node): FlowStyle => {
  const type = findFirstText(node)?.type;
  const quote = type === 'PLAIN' ? 'none' : type === 'QUOTE_SINGLE' ? 'single' : 'double';
  return { quote, isPadded: text[(node.range?.[0] ?? 0) + 1] === ' ' };
};

const formatText = (value: string, { quote }: FlowStyle): string => {
  if (quote === 'none' && PLAIN.test(value) && !RESERVED.test(value)) return value;
  const isSimple = !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(value);
  return quote === 'single' && isSimple
    ? `'${value.replaceAll("'", "''")}'`
    : JSON.stringify(value);
};

const formatKey = (key: string): string =>
  PLAIN.test(key) && !RESERVED.test(key) ? key : JSON.stringify(key);

/** Returns plain data as a flow collection or scalar. */
const formatFlow = (value: unknown, style: FlowStyle): string => {
  if (typeof value === 'string') return formatText(value, style);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const pad = style.isPadded ? ' ' : '';
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => formatFlow(item, style));
    return items.length === 0 ? '[]' : `[${pad}${items.join(', ')}${pad}]`;
  }
  const pairs = Object.entries(value).map(
    ([key, item]) => `${formatKey(key)}: ${formatFlow(item, style)}`,
  );
  return pairs.length === 0 ? '{}' : `{${pad}${pairs.join(', ')}${pad}}`;
};

/** A flow collection and its target value. */
interface FlowChange {
  readonly node: YAMLMap | YAMLSeq;
  readonly target: unknown;
  readonly isEqual: (node: Node, value: unknown) => boolean;
}

const toRange = (node: Node): Pick<Splice, 'start' | 'end'> => {
  const [start, end] = node.range ?? [0, 0];
  return { start, end };
};

/** Returns the target values in the order of the existing ones; undefined when the shape differs. */
const alignValues = ({ node, target }: FlowChange): readonly unknown[] | undefined => {
  if (isSeq(node)) return Array.isArray(target) ? target : undefined;
  if (!isJsonObject(target)) return undefined;
  const keys = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
  const isSame =
    keys.length === Object.keys(target).length && keys.every((key) => Object.hasOwn(target, key));
  return isSame ? keys.map((key) => target[key]) : undefined;
};

/** Returns the replacements of a flow collection: single values when the shape is the same, else the whole collection in its style. */
const listFlowSplices = (text: string, change: FlowChange): readonly Splice[] => {
  const { node, target, isEqual } = change;
  const style = readFlowStyle(text, node);
  const values = isMap(node) ? node.items.map(({ value }) => value) : node.items;
  const scalars = values.filter((value) => isScalar(value));
  const next = alignValues(change);
  if (next?.length !== values.length || scalars.length < values.length) {
    return [{ ...toRange(node), text: formatFlow(target, style) }];
  }
  return scalars.flatMap((value, index) =>
    isEqual(value, next[index])
      ? []
      : [{ ...toRange(value), text: formatFlow(next[index], style) }],
  );
};

/** The location of a value: after the colon of a key or the dash of a sequence. */
interface Slot {
  readonly behind: 'key' | 'dash';
  /** The offset after the colon or the dash. */
  readonly headEnd: number;
  /** The column of the key or the dash. */
  readonly column: number;
  readonly node: Node | undefined;
}

interface KeySlot extends Slot {
  readonly name: string;
  /** The offset of the key. */
  readonly start: number;
}

/** Returns whether a flow collection has items; an empty one has no style to preserve. */
const isFilledFlow = (node: Node | undefined): node is YAMLMap | YAMLSeq =>
  (isMap(node) || isSeq(node)) && node.flow === true && node.items.length > 0;

const isCollection = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Computes the replacements that give a text another content: values that differ, and the lines of removed and added keys and items.
 * `isStuck` is true when the layout cannot be edited in place.
 */
export class YamlSplicer {
  readonly splices: Splice[] = [];
  isStuck = false;
  readonly #text: string;
  readonly #document: Document;
  readonly #layout: YamlLayout;

  constructor(text: string, document: Document) {
    this.#text = text;
    this.#document = document;
    this.#layout = readLayout(text, document);
  }

  /** Edits the root mapping of the document to the target content. */
  setRoot(root: YAMLMap, target: Mapping): void {
    const isDone = isInLines(root) ? this.#setMap(root, target) : this.#setFlow(root, target);
    if (!isDone) this.isStuck = true;
  }

  #set(slot: Slot, target: unknown): void {
    const { node } = slot;
    if (node !== undefined && this.#hasValue(node, target)) return;
    if (isInLines(node) && this.#setLines(node, target)) return;
    if (isFilledFlow(node) && isCollection(target)) this.#setFlow(node, target);
    else this.#replace(slot, target);
  }

  /** Edits a block collection in place. Returns false when it must be printed as a whole. */
  #setLines(node: Node | undefined, target: unknown): boolean {
    if (isMap(node) && isJsonObject(target)) return this.#setMap(node, target);
    if (isSeq(node) && Array.isArray(target)) return this.#setList(node, target);
    return false;
  }

  #setMap(map: YAMLMap, target: Mapping): boolean {
    const slots = map.items.map((pair) => this.#keySlot(pair));
    const [first] = slots;
    if (first === undefined || !slots.every((slot) => slot !== undefined)) return false;
    const removed = slots.filter(({ name }) => !Object.hasOwn(target, name));
    const canRemove = removed.every(({ start }) => this.#startsLine(start));
    if (removed.length === slots.length || !canRemove) return false;
    for (const slot of slots) {
      if (Object.hasOwn(target, slot.name)) this.#set(slot, target[slot.name]);
      else this.#removeLines(slot.start, this.#findEnd(slot));
    }
    const known = new Set(slots.map(({ name }) => name));
    const where = { column: first.column, layout: this.#layout };
    const lines = Object.keys(target)
      .filter((key) => !known.has(key))
      .map((key) => printPair(key, target[key], where));
    this.#insertAfter(findContentEnd(this.#text, map), lines);
    return true;
  }

  #keySlot(pair: Pair): KeySlot | undefined {
    const { key, value } = pair;
    const headEnd = findColonEnd(this.#text, pair);
    if (!isScalar(key) || headEnd === undefined) return undefined;
    const start = findStart(key);
    const node = isNode(value) ? value : undefined;
    const name = String(key.value);
    return { behind: 'key', headEnd, column: this.#findColumn(start), node, start, name };
  }

  /** Edits a sequence in place. Equal items at both ends stay; the items between them are replaced one by one. */
  #setList(list: YAMLSeq, target: readonly unknown[]): boolean {
    const slots = list.items.map((item) => this.#itemSlot(item));
    if (target.length === 0 || !slots.every((slot) => slot !== undefined)) return false;
    const { before, after } = this.#commonEnds(slots, target);
    const old = slots.slice(before, slots.length - after);
    const next = target.slice(before, target.length - after);
    const removed = old.slice(next.length);
    if (!removed.every(({ headEnd }) => this.#startsLine(headEnd - 1))) return false;
    const added = next.slice(old.length);
    if (added.length > 0 && !this.#canInsert(slots, before + old.length)) return false;
    for (const [index, value] of next.slice(0, old.length).entries()) {
      const slot = old[index];
      if (slot !== undefined) this.#set(slot, value);
    }
    // Behind the items that are added inside of the last one, at the same offset.
    this.#insertItems(slots, before + old.length, added);
    for (const slot of removed) this.#removeLines(slot.headEnd - 1, this.#findEnd(slot));
    return true;
  }

  #canInsert([first]: readonly Slot[], at: number): boolean {
    return first !== undefined && (at > 0 || this.#startsLine(first.headEnd - 1));
  }

  #insertItems(slots: readonly Slot[], at: number, values: readonly unknown[]): void {
    const [first] = slots;
    if (first === undefined) return;
    const lines = values.map((value) => this.#itemLines(value, first.column));
    const last = slots[at - 1];
    if (last === undefined) this.#insertBefore(first.headEnd, lines);
    else this.#insertAfter(this.#findEnd(last), lines);
  }

  #itemLines(value: unknown, column: number): string {
    const behind = printBehind({ value, behind: 'dash', column, layout: this.#layout });
    return `${' '.repeat(column)}-${behind}`;
  }

  #commonEnds(
    slots: readonly Slot[],
    target: readonly unknown[],
  ): { readonly before: number; readonly after: number } {
    const maxCount = Math.min(slots.length, target.length);
    const same = (slot: Slot | undefined, value: unknown): boolean =>
      slot?.node !== undefined && this.#hasValue(slot.node, value);
    let before = 0;
    while (before < maxCount && same(slots[before], target[before])) before += 1;
    let after = 0;
    while (after < maxCount - before && same(slots.at(-1 - after), target.at(-1 - after)))
      after += 1;
    return { before, after };
  }

  #itemSlot(item: unknown): Slot | undefined {
    if (!isNode(item)) return undefined;
    const dash = this.#text.lastIndexOf('-', findStart(item) - 1);
    const isDash =
      dash !== -1 && /^[ \t-]*$/.test(this.#text.slice(findLineStart(this.#text, dash), dash));
    if (!isDash) return undefined;
    return { behind: 'dash', headEnd: dash + 1, column: this.#findColumn(dash), node: item };
  }

  #setFlow(node: YAMLMap | YAMLSeq, target: unknown): boolean {
    const isEqual = (value: Node, next: unknown): boolean => this.#hasValue(value, next);
    this.splices.push(...listFlowSplices(this.#text, { node, target, isEqual }));
    return true;
  }

  /** Prints a value in place of the old one. A comment in the line of its key or dash stays. */
  #replace(slot: Slot, value: unknown): void {
    const { node, headEnd, behind, column } = slot;
    const layout = this.#layout;
    const printed = printBehind({ value, behind, column, layout, before: node });
    const lineEnd = findLineEnd(this.#text, headEnd);
    const [first = '', ...rest] = printed.split(layout.lineBreak);
    // Blank lines that belonged to the old text stay as layout, unless the new one ends with its own.
    const whole = this.#findEnd(slot);
    const end = rest.at(-1)?.trim() === '' ? whole : findLastTextEnd(this.#text, headEnd, whole);
    if (end <= lineEnd && rest.length === 0 && node !== undefined && !isUnwritten(node)) {
      this.splices.push({ start: findStart(node), end, text: first.trimStart() });
      return;
    }
    const isOneLine = end <= lineEnd;
    const comment = this.#commentBetween(isOneLine ? end : headEnd, lineEnd);
    const text = [first + comment, ...rest].join(layout.lineBreak);
    this.splices.push({ start: headEnd, end: findLineEnd(this.#text, end), text });
  }

  #commentBetween(start: number, end: number): string {
    const between = this.#text.slice(start, end);
    return /^[ \t]+#/.test(between) ? between : '';
  }

  #removeLines(start: number, end: number): void {
    const from = findLineStart(this.#text, start);
    this.splices.push({ start: from, end: findNextLine(this.#text, end), text: '' });
  }

  #insertAfter(offset: number, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { lineBreak } = this.#layout;
    const at = findNextLine(this.#text, offset);
    const hasBreak = this.#text[at - 1] === '\n';
    const text = lines.map((line) => (hasBreak ? line + lineBreak : lineBreak + line)).join('');
    this.splices.push({ start: at, end: at, text });
  }

  #insertBefore(offset: number, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { lineBreak } = this.#layout;
    const at = findLineStart(this.#text, offset);
    const text = lines.map((line) => line + lineBreak).join('');
    this.splices.push({ start: at, end: at, text });
  }

  #findEnd({ node, headEnd }: Slot): number {
    return node === undefined || isUnwritten(node) ? headEnd : findContentEnd(this.#text, node);
  }

  #hasValue(node: Node, value: unknown): boolean {
    return isDeepStrictEqual(node.toJS(this.#document, { maxAliasCount: -1 }), value);
  }

  #findColumn(offset: number): number {
    return offset - findLineStart(this.#text, offset);
  }

  #startsLine(offset: number): boolean {
    return isBlankBetween(this.#text, findLineStart(this.#text, offset), offset);
  }
}
