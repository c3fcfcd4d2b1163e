import { isJsonObject } from '@gateway/call-contract';
import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';

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

/** The style of strings in a flow collection. */
export interface FlowStyle {
  readonly quote: 'none' | 'single' | 'double';
  /** True when the brackets have spaces inside. */
  readonly isPadded: boolean;
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_./-]*$/;
const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;

const firstText = (node: Node): { readonly type?: unknown } | undefined => {
  const values = isMap(node) ? node.items.map(({ value }) => value) : isSeq(node) ? node.items : [];
  return values.find((value) => isScalar(value) && typeof value.value === 'string') as
    { readonly type?: unknown } | undefined;
};

/** Returns the style of an existing flow collection; that of JSON when it has no strings. */
const flowStyleOf = (text: string, node: Node): FlowStyle => {
  const type = firstText(node)?.type;
  const quote = type === 'PLAIN' ? 'none' : type === 'QUOTE_SINGLE' ? 'single' : 'double';
  return { quote, isPadded: text[(node.range?.[0] ?? 0) + 1] === ' ' };
};

const textText = (value: string, { quote }: FlowStyle): string => {
  if (quote === 'none' && PLAIN.test(value) && !RESERVED.test(value)) return value;
  const isSimple = !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(value);
  return quote === 'single' && isSimple
    ? `'${value.replaceAll("'", "''")}'`
    : JSON.stringify(value);
};

const keyText = (key: string): string =>
  PLAIN.test(key) && !RESERVED.test(key) ? key : JSON.stringify(key);

/** Returns plain data as a flow collection or scalar. */
const flowText = (value: unknown, style: FlowStyle): string => {
  if (typeof value === 'string') return textText(value, style);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const pad = style.isPadded ? ' ' : '';
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => flowText(item, style));
    return items.length === 0 ? '[]' : `[${pad}${items.join(', ')}${pad}]`;
  }
  const pairs = Object.entries(value).map(
    ([key, item]) => `${keyText(key)}: ${flowText(item, style)}`,
  );
  return pairs.length === 0 ? '{}' : `{${pad}${pairs.join(', ')}${pad}}`;
};

/** A flow collection and its target value. */
export interface FlowChange {
  readonly node: YAMLMap | YAMLSeq;
  readonly target: unknown;
  readonly isEqual: (node: Node, value: unknown) => boolean;
}

const rangeOf = (node: Node): Pick<Splice, 'start' | 'end'> => {
  const [start, end] = node.range ?? [0, 0];
  return { start, end };
};

/** Returns the target values in the order of the existing ones; undefined when the shape differs. */
const valuesOf = ({ node, target }: FlowChange): readonly unknown[] | undefined => {
  if (isSeq(node)) return Array.isArray(target) ? target : undefined;
  if (!isJsonObject(target)) return undefined;
  const keys = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
  const isSame =
    keys.length === Object.keys(target).length && keys.every((key) => Object.hasOwn(target, key));
  return isSame ? keys.map((key) => target[key]) : undefined;
};

/** Returns the replacements of a flow collection: single values when the shape is the same, else the whole collection in its style. */
export const flowSplices = (text: string, change: FlowChange): readonly Splice[] => {
  const { node, target, isEqual } = change;
  const style = flowStyleOf(text, node);
  const values = isMap(node) ? node.items.map(({ value }) => value) : node.items;
  const scalars = values.filter((value) => isScalar(value));
  const next = valuesOf(change);
  if (next?.length !== values.length || scalars.length < values.length) {
    return [{ ...rangeOf(node), text: flowText(target, style) }];
  }
  return scalars.flatMap((value, index) =>
    isEqual(value, next[index]) ? [] : [{ ...rangeOf(value), text: flowText(next[index], style) }],
  );
};
