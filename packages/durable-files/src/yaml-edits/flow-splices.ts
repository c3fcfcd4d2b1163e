import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { flowStyleOf, flowText } from './flow-text.ts';
import { isMapping } from './mapping.ts';
import type { Splice } from './splice.ts';

/** A flow collection and its wanted value. */
export interface FlowChange {
  readonly node: YAMLMap | YAMLSeq;
  readonly wanted: unknown;
  readonly says: (node: Node, value: unknown) => boolean;
}

const rangeOf = (node: Node): Pick<Splice, 'start' | 'end'> => {
  const [start, end] = node.range ?? [0, 0];
  return { start, end };
};

/** Returns the wanted values in the order of the existing ones; undefined when the shape differs. */
const valuesOf = ({ node, wanted }: FlowChange): readonly unknown[] | undefined => {
  if (isSeq(node)) return Array.isArray(wanted) ? wanted : undefined;
  if (!isMapping(wanted)) return undefined;
  const keys = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
  const isSame =
    keys.length === Object.keys(wanted).length && keys.every((key) => Object.hasOwn(wanted, key));
  return isSame ? keys.map((key) => wanted[key]) : undefined;
};

/** Returns the replacements of a flow collection: single values when the shape is the same, else the whole collection in its style. */
export const flowSplices = (text: string, change: FlowChange): readonly Splice[] => {
  const { node, wanted, says } = change;
  const style = flowStyleOf(text, node);
  const values = isMap(node) ? node.items.map(({ value }) => value) : node.items;
  const scalars = values.filter((value) => isScalar(value));
  const next = valuesOf(change);
  if (next?.length !== values.length || scalars.length < values.length) {
    return [{ ...rangeOf(node), text: flowText(wanted, style) }];
  }
  return scalars.flatMap((value, index) =>
    says(value, next[index]) ? [] : [{ ...rangeOf(value), text: flowText(next[index], style) }],
  );
};
