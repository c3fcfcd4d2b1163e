import type { ASTNode } from '@marcbachmann/cel-js';

/** The parts of a value that an expression reads. */
export interface ReadSet {
  /**
   * `presence`: only whether the value is present, as in `has()`. `mapping`: the size of a free-form mapping, as in
   * `size(dyn())`. `entries`: the items of a list with their texts, as in `all()`.
   */
  readonly as: 'presence' | 'value' | 'mapping' | 'entries';
  /** The fields of the value that it reads. */
  readonly fields: ReadonlyMap<string, ReadSet>;
}

interface Collected extends ReadSet {
  as: ReadSet['as'];
  readonly fields: Map<string, Collected>;
}

const nothing = (): Collected => ({ as: 'presence', fields: new Map() });

const calls: ReadonlyMap<string, ReadSet['as']> = new Map([
  ['has', 'presence'],
  ['dyn', 'mapping'],
]);

const MACROS: ReadonlySet<string> = new Set(['all', 'exists_one']);

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value;

const nodesIn = (value: unknown): readonly ASTNode[] => {
  if (isNode(value)) return [value];
  return Array.isArray(value) ? value.flatMap(nodesIn) : [];
};

/** Returns `['auth', 'type']` for `self.auth.type`; undefined for any other expression. */
const fieldsOf = (node: ASTNode): readonly string[] | undefined => {
  if (node.op === 'id') return node.args === 'self' ? [] : undefined;
  if (node.op !== '.') return undefined;
  const [owner, field] = node.args;
  const before = fieldsOf(owner);
  return before === undefined ? undefined : [...before, field];
};

const readSetAt = (reading: Collected, fields: readonly string[]): Collected => {
  let current = reading;
  for (const field of fields) {
    const next = current.fields.get(field) ?? nothing();
    current.fields.set(field, next);
    current = next;
  }
  return current;
};

/** Marks a list whose items an expression reads. */
const collectItems = (node: ASTNode, reading: Collected): boolean => {
  if (node.op !== 'rcall' || !MACROS.has(node.args[0])) return false;
  const fields = fieldsOf(node.args[1]);
  if (fields === undefined) return false;
  readSetAt(reading, fields).as = 'entries';
  for (const child of nodesIn(node.args[2])) collect(child, reading);
  return true;
};

function collect(node: ASTNode, reading: Collected): void {
  if (collectItems(node, reading)) return;
  const as = node.op === 'call' ? calls.get(node.args[0]) : undefined;
  const asked = node.op === 'call' && as !== undefined ? node.args[1][0] : node;
  const fields = asked === undefined ? undefined : fieldsOf(asked);
  if (fields === undefined) {
    for (const child of nodesIn(node.args)) collect(child, reading);
    return;
  }
  const found = readSetAt(reading, fields);
  if (as !== 'presence') found.as = as ?? 'value';
}

/** Returns the parts of `self` that an expression reads. */
export const readSetOf = (expression: ASTNode): ReadSet => {
  const reading = nothing();
  collect(expression, reading);
  return reading;
};
