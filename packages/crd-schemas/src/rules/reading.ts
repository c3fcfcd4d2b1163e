import type { ASTNode } from '@marcbachmann/cel-js';

/** What an expression reads of a value: whether the value itself, and what of its fields. */
export interface Reading {
  readonly isValueRead: boolean;
  readonly fields: ReadonlyMap<string, Reading>;
}

interface Collected extends Reading {
  isValueRead: boolean;
  readonly fields: Map<string, Collected>;
}

const nothing = (): Collected => ({ isValueRead: false, fields: new Map() });

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value;

const nodesIn = (value: unknown): readonly ASTNode[] => {
  if (isNode(value)) return [value];
  return Array.isArray(value) ? value.flatMap(nodesIn) : [];
};

/** `['auth', 'type']` of `self.auth.type`; undefined of any other expression. */
const fieldsOf = (node: ASTNode): readonly string[] | undefined => {
  if (node.op === 'id') return node.args === 'self' ? [] : undefined;
  if (node.op !== '.') return undefined;
  const [owner, field] = node.args;
  const before = fieldsOf(owner);
  return before === undefined ? undefined : [...before, field];
};

const readingAt = (reading: Collected, fields: readonly string[]): Collected => {
  let current = reading;
  for (const field of fields) {
    const next = current.fields.get(field) ?? nothing();
    current.fields.set(field, next);
    current = next;
  }
  return current;
};

const collect = (node: ASTNode, reading: Collected): void => {
  const isHas = node.op === 'call' && node.args[0] === 'has';
  const [asked] = isHas ? node.args[1] : [node];
  const fields = asked === undefined ? undefined : fieldsOf(asked);
  if (fields === undefined) {
    for (const child of nodesIn(node.args)) collect(child, reading);
    return;
  }
  const found = readingAt(reading, fields);
  found.isValueRead ||= !isHas;
};

/** What an expression about `self` reads. What is only asked for with `has()` is a field of which the value is not read. */
export const readingOf = (expression: ASTNode): Reading => {
  const reading = nothing();
  collect(expression, reading);
  return reading;
};
