import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { flowStyleOf, flowText } from './flow-text.ts';
import { isMapping } from './mapping.ts';
import type { Splice } from './splice.ts';

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
  if (!isMapping(target)) return undefined;
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
