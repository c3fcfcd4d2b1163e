import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import type { CelRule } from '../../src/index.ts';

/**
 * What the API server thinks a rule may cost at most, from the schema's bounds alone: CEL's cost of each operation, in
 * units of about 50 ns, times how often the value may occur. It knows the operations that the rules use and no other, so
 * that a rule with a new one has to be looked at. Follows the estimator of cel-go as Kubernetes 1.34 sets it up.
 */

/** A schema of a CustomResourceDefinition, as far as rules depend on it. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

interface Estimate {
  readonly cost: number;
  /** The most elements of the value, or characters; 0 for what has none. */
  readonly size: number;
  /** Absent for what no schema describes. */
  readonly schema?: Schema | undefined;
}

/** What names stand for: `self`, and the variables of macros. */
type Scope = ReadonlyMap<string, Schema>;

/** The API server knows no type of a value without `type`, and so of no list and no map of such values. */
const isKnown = (schema: Schema | undefined): boolean => {
  if (schema?.type === undefined) return false;
  if (schema.type === 'array') return isKnown(schema.items);
  return schema.additionalProperties === undefined || isKnown(schema.additionalProperties);
};

const longest = (texts: readonly string[]): number =>
  Math.max(...texts.map(({ length }) => length));

/** A character of a text counts as the four bytes that it may have. */
const textSize = ({ maxLength, enum: texts }: Schema): number =>
  maxLength === undefined ? longest(texts ?? []) : 4 * maxLength;

const sizeOf = (schema: Schema): number => {
  if (schema.type === 'string') return textSize(schema);
  return schema.maxItems ?? schema.maxProperties ?? 0;
};

/** A tenth of a unit for each element that has to be looked at. */
const traversal = (size: number): number => Math.ceil(size / 10);

const createField = (owner: Estimate, name: string): Schema => {
  const found = owner.schema?.properties?.[name];
  if (found === undefined || !isKnown(found)) throw new Error(`undefined field '${name}'`);
  return found;
};

const callCosts: Readonly<Record<string, (argument: ASTNode, self: Scope) => Estimate>> = {
  has: (argument, self) => {
    if (argument.op !== '.') throw new Error('has() takes a field');
    const owner = estimateOf(argument.args[0], self);
    createField(owner, argument.args[1]);
    return { cost: owner.cost, size: 0 };
  },
  dyn: (argument, self) => {
    const { cost, size } = estimateOf(argument, self);
    return { cost: 1 + cost, size };
  },
  size: (argument, self) => ({ cost: 1 + estimateOf(argument, self).cost, size: 0 }),
};

type Costs = {
  readonly [Op in ASTNode['op']]?: (
    args: Extract<ASTNode, { op: Op }>['args'],
    self: Scope,
  ) => Estimate;
};

const equality = ([left, right]: readonly [ASTNode, ASTNode], self: Scope): Estimate => {
  const [a, b] = [estimateOf(left, self), estimateOf(right, self)];
  return { cost: a.cost + b.cost + traversal(Math.min(a.size, b.size)), size: 0 };
};

/** What a macro does for each item beside its condition, at most. */
const PER_ITEM: Readonly<Record<string, number>> = { all: 3, exists_one: 3 };

const macro = (
  name: string,
  list: ASTNode,
  { variable, condition, self }: { variable: ASTNode; condition: ASTNode; self: Scope },
): Estimate => {
  const { cost, size, schema } = estimateOf(list, self);
  if (variable.op !== 'id' || schema?.items === undefined) throw new Error(`no list of ${name}()`);
  const inner = new Map(self).set(variable.args, schema.items);
  return {
    cost: cost + 2 + size * (estimateOf(condition, inner).cost + (PER_ITEM[name] ?? 0)),
    size: 0,
  };
};

const methodCost = (
  name: string,
  receiver: ASTNode,
  [variable, condition]: readonly ASTNode[],
  self: Scope,
): Estimate => {
  if (name === 'lowerAscii') {
    const { cost, size } = estimateOf(receiver, self);
    return { cost: cost + traversal(size), size };
  }
  if (PER_ITEM[name] === undefined || variable === undefined || condition === undefined)
    throw new Error(`no cost of ${name}()`);
  return macro(name, receiver, { variable, condition, self });
};

const both = ([left, right]: readonly [ASTNode, ASTNode], self: Scope): Estimate => ({
  cost: estimateOf(left, self).cost + estimateOf(right, self).cost,
  size: 0,
});

const costs: Costs = {
  value: (literal) => ({ cost: 0, size: typeof literal === 'string' ? literal.length : 0 }),
  id: (name, self) => {
    const schema = self.get(name);
    if (schema === undefined) throw new Error(`undeclared reference to '${name}'`);
    return { cost: 1, size: sizeOf(schema), schema };
  },
  '.': ([node, name], self) => {
    const owner = estimateOf(node, self);
    const schema = createField(owner, name);
    return { cost: owner.cost + 1, size: sizeOf(schema), schema };
  },
  '!_': (node, self) => ({ cost: 1 + estimateOf(node, self).cost, size: 0 }),
  '||': both,
  '&&': both,
  '==': equality,
  '!=': equality,
  '>': (pair, self) => ({ cost: 1 + both(pair, self).cost, size: 0 }),
  in: (pair, self) => ({ cost: 1 + both(pair, self).cost, size: 0 }),
  rcall: ([name, receiver, args], self) => methodCost(name, receiver, args, self),
  list: (items) => ({ cost: 10, size: items.length }),
  call: ([name, [argument]], self) => {
    const cost = callCosts[name];
    if (cost === undefined || argument === undefined) throw new Error(`no cost of ${name}()`);
    return cost(argument, self);
  },
};

function estimateOf(node: ASTNode, self: Scope): Estimate {
  const cost = costs[node.op] as ((args: unknown, self: Scope) => Estimate) | undefined;
  if (cost === undefined) throw new Error(`no cost of ${node.op}`);
  return cost(node.args, self);
}

/** The schemas on the way from the root to where a rule hangs, both included. */
export const schemasTo = (root: Schema, path: readonly string[]): readonly Schema[] => {
  const schemas = [root];
  let schema: Schema | undefined = root;
  for (const segment of path) {
    schema = segment === '[]' ? schema.items : schema.properties?.[segment];
    if (schema === undefined) throw new Error(`no schema at ${path.join('.')}`);
    schemas.push(schema);
  }
  return schemas;
};

const ENVIRONMENT = new Environment().registerVariable('self', 'dyn');

/** What a rule costs once, and how often it may have to be asked in one resource. */
export const staticCost = (
  { rule, path }: Pick<CelRule, 'rule' | 'path'>,
  root: Schema,
): { readonly once: number; readonly times: number } => {
  const schemas = schemasTo(root, path);
  const self = schemas.at(-1) ?? root;
  const times = schemas.map((schema) =>
    schema.type === 'array' ? (schema.maxItems ?? Infinity) : 1,
  );
  return {
    once: estimateOf(ENVIRONMENT.parse(rule).ast, new Map([['self', self]])).cost,
    times: times.reduce((product, factor) => product * factor, 1),
  };
};
