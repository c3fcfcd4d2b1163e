import { isMap, isScalar, isSeq, type Node } from 'yaml';

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
export const flowStyleOf = (text: string, node: Node): FlowStyle => {
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
export const flowText = (value: unknown, style: FlowStyle): string => {
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
