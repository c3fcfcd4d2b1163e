import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { type ValidationIssue, isMapping, readOwnMember } from '../fields/validation-issue.ts';
import { MAX_ALL_STEPS } from '../fields/limits.ts';
import { type CelRule, listCelRules, ITEMS, type ResourceKind } from './cel-rules.ts';

/** The parts of a value that an expression reads. */
export interface ReadSet {
  /**
   * `presence`: only whether the value is present, as in `has()`. `mapping`: the size of a free-form mapping, as in
   * `size(dyn())`. `entries`: the items of a list with their texts, as in `all()`.
   */
  readonly as: 'presence' | 'value' | 'mapping' | 'entries';
  readonly fields: ReadonlyMap<string, ReadSet>;
}

interface Collected extends ReadSet {
  as: ReadSet['as'];
  readonly fields: Map<string, Collected>;
}

const createReadSet = (): Collected => ({ as: 'presence', fields: new Map() });

const calls: ReadonlyMap<string, ReadSet['as']> = new Map([
  ['has', 'presence'],
  ['dyn', 'mapping'],
]);

const MACROS: ReadonlySet<string> = new Set(['all', 'exists_one']);

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value;

const listNodes = (value: unknown): readonly ASTNode[] => {
  if (isNode(value)) return [value];
  return Array.isArray(value) ? value.flatMap(listNodes) : [];
};

/** Returns `['auth', 'type']` for `self.auth.type`; undefined for any other expression. */
const findFieldPath = (node: ASTNode): readonly string[] | undefined => {
  if (node.op === 'id') return node.args === 'self' ? [] : undefined;
  if (node.op !== '.') return undefined;
  const [owner, field] = node.args;
  const before = findFieldPath(owner);
  return before === undefined ? undefined : [...before, field];
};

const readSetAt = (reading: Collected, fields: readonly string[]): Collected => {
  let current = reading;
  for (const field of fields) {
    const next = current.fields.get(field) ?? createReadSet();
    current.fields.set(field, next);
    current = next;
  }
  return current;
};

/** Marks a list whose items an expression reads. */
const collectItems = (node: ASTNode, reading: Collected): boolean => {
  if (node.op !== 'rcall' || !MACROS.has(node.args[0])) return false;
  const fields = findFieldPath(node.args[1]);
  if (fields === undefined) return false;
  readSetAt(reading, fields).as = 'entries';
  for (const child of listNodes(node.args[2])) collect(child, reading);
  return true;
};

function collect(node: ASTNode, reading: Collected): void {
  if (collectItems(node, reading)) return;
  const as = node.op === 'call' ? calls.get(node.args[0]) : undefined;
  const asked = node.op === 'call' && as !== undefined ? node.args[1][0] : node;
  const fields = asked === undefined ? undefined : findFieldPath(asked);
  if (fields === undefined) {
    for (const child of listNodes(node.args)) collect(child, reading);
    return;
  }
  const found = readSetAt(reading, fields);
  if (as !== 'presence') found.as = as ?? 'value';
}

/** Returns the parts of `self` that an expression reads. */
const collectReadSet = (expression: ASTNode): ReadSet => {
  const reading = createReadSet();
  collect(expression, reading);
  return reading;
};

/**
 * Represents a value that is not the mapping that it should be: it is not an empty mapping, and the fields report the problem.
 */
const NO_MAPPING: ReadonlyMap<string, null> = new Map([['', null]]);

/** Returns a `Map` at every level, because a key of an object could be confused with a JavaScript member. */
const toCelFields = (value: object, { fields }: ReadSet): ReadonlyMap<string, unknown> => {
  const seen = new Map<string, unknown>();
  for (const [field, reading] of fields) {
    const member = toCelValue(readOwnMember(value, field), reading);
    if (member !== undefined) seen.set(field, member);
  }
  return seen;
};

/** No rule distinguishes longer lists, and no resource has one. */
const MAX_LISTED_ITEMS = 65_536;

const toShape = (value: object): unknown =>
  Array.isArray(value)
    ? Array.from({ length: Math.min(value.length, MAX_LISTED_ITEMS) }, () => null)
    : new Map(Object.keys(value).map((key) => [key, null]));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const JSON_SCALARS: ReadonlySet<string> = new Set(['string', 'boolean', 'number']);

/** A value that JSON does not have is present, and equal to nothing. */
const toScalar = (value: unknown): unknown => (JSON_SCALARS.has(typeof value) ? value : null);

/** More items, more fields of an item and longer texts are refused by the fields, so that an evaluation is short. */
const MAX_ENTRIES = 64;
const MAX_ENTRY_FIELDS = 16;
const MAX_ENTRY_CHARS = 512;

/** An item with its texts. Other members are absent: the fields report the problem. */
const toCelEntry = (item: unknown): ReadonlyMap<string, string> =>
  new Map(
    isMapping(item)
      ? Object.keys(item)
          .slice(0, MAX_ENTRY_FIELDS)
          .flatMap((key) => {
            const member = readOwnMember(item, key);
            return typeof member === 'string' ? [[key, member.slice(0, MAX_ENTRY_CHARS)]] : [];
          })
      : [],
  );

const celValueAs: Readonly<Record<ReadSet['as'], (value: unknown) => unknown>> = {
  presence: () => null,
  mapping: (value) => (isMapping(value) ? toShape(value) : NO_MAPPING),
  entries: (value) =>
    Array.isArray(value) ? value.slice(0, MAX_ENTRIES).map(toCelEntry) : undefined,
  value: (value) => (isObject(value) ? toShape(value) : toScalar(value)),
};

/**
 * Returns the view of a value that an expression evaluates, with JSON types only: the fields that it reads, lists and mappings
 * without their contents, and null for fields whose presence it tests. Null is absent, because the API server removes it before
 * it evaluates rules. A value that is not a mapping is absent for an
 * expression that reads its fields: the fields of the resource report the problem.
 */
function toCelValue(value: unknown, reading: ReadSet): unknown {
  if (value === undefined || value === null) return undefined;
  if (reading.fields.size === 0) return celValueAs[reading.as](value);
  return isMapping(value) ? toCelFields(value, reading) : undefined;
}

/** A rule that is ready for evaluation. */
export interface CompiledRule {
  readonly message: string;
  /** From the value that the rule speaks of to the field at fault. */
  readonly fieldPath: ValidationIssue['path'];
  /** Returns whether a mapping, which may be invalid in any other respect, satisfies the rule. Never throws. */
  readonly holds: (self: unknown) => boolean;
}

const ENVIRONMENT = new Environment({
  limits: { maxAstNodes: 200, maxDepth: 32, maxListElements: 16, maxMapEntries: 16 },
}).registerVariable('self', 'dyn');

type Holds = CompiledRule['holds'];

const compileExpression = (expression: string): Holds => {
  const evaluate = ENVIRONMENT.parse(expression);
  const reading = collectReadSet(evaluate.ast);
  const { error } = evaluate.check();
  if (error !== undefined) throw error;
  return (self) => {
    try {
      return evaluate({ self: toCelValue(self, reading) }) === true;
    } catch {
      // As in the API server, a rule whose evaluation fails is broken.
      return false;
    }
  };
};

/** By expression: one that applies at several places is compiled once. */
const compiledRules = new Map<string, Holds>();

/**
 * Compiles a rule.
 *
 * @throws Error when its expression is none of CEL
 */
export const compileRule = ({ rule, message, fieldPath = '' }: CelRule): CompiledRule => {
  const holds = compiledRules.get(rule) ?? compileExpression(rule);
  compiledRules.set(rule, holds);
  return { message, fieldPath: fieldPath.split('.').slice(1), holds };
};

/** The rules of one place and the places below it, in the order of the rules. */
interface RulePlace {
  readonly rules: CompiledRule[];
  readonly below: Map<string, RulePlace>;
}

/** A walk through a document. `path` is where it is. */
interface Walk {
  readonly path: (string | number)[];
  readonly issues: ValidationIssue[];
  /** The number of values that may still be evaluated. */
  left: number;
}

/** The spec, and a step and its condition for each step that a workflow may have. */
const MAX_VALUES = 1 + 2 * MAX_ALL_STEPS;

const createPlace = (): RulePlace => ({ rules: [], below: new Map() });

const createRuleTree = (rules: readonly CelRule[]): RulePlace => {
  const root = createPlace();
  for (const rule of rules) {
    let place = root;
    for (const segment of rule.path) {
      const next = place.below.get(segment) ?? createPlace();
      place.below.set(segment, next);
      place = next;
    }
    place.rules.push(compileRule(rule));
  }
  return root;
};

const known = new Map<ResourceKind, RulePlace>();

/** Compiled when a kind is first evaluated, and cached. */
const getRuleTree = (kind: ResourceKind): RulePlace => {
  const root = known.get(kind) ?? createRuleTree(listCelRules(kind));
  known.set(kind, root);
  return root;
};

const ask = (rules: readonly CompiledRule[], value: unknown, walk: Walk): void => {
  if (rules.length === 0 || walk.left === 0 || !isMapping(value)) return;
  walk.left -= 1;
  for (const { holds, fieldPath, message } of rules) {
    if (!holds(value)) walk.issues.push({ path: [...walk.path, ...fieldPath], message });
  }
};

const visit = (place: RulePlace, value: unknown, walk: Walk): void => {
  ask(place.rules, value, walk);
  for (const [segment, below] of place.below) {
    if (segment !== ITEMS) visitMember(segment, below, readOwnMember(value, segment), walk);
    else if (Array.isArray(value)) visitItems(below, value, walk);
  }
};

/** Items without rules cost as much as the others: a list may be long or sparse. */
function visitItems(place: RulePlace, items: readonly unknown[], walk: Walk): void {
  for (const [index, item] of items.entries()) {
    if (walk.left === 0) return;
    if (!isMapping(item)) walk.left -= 1;
    visitMember(index, place, item, walk);
  }
}

function visitMember(segment: string | number, place: RulePlace, value: unknown, walk: Walk): void {
  if (value === undefined || walk.left === 0) return;
  walk.path.push(segment);
  visit(place, value, walk);
  walk.path.pop();
}

/**
 * Returns the rules between fields that a `spec` breaks, in the order of the document; empty when it satisfies all. The `spec`
 * may be invalid in any other respect, which is not reported here. Visits no more values than a valid document has, and never
 * throws for plain data.
 *
 * @spec §2.6, §2.7, §7.6
 */
export const evaluateRules = (kind: ResourceKind, spec: unknown): readonly ValidationIssue[] => {
  const walk: Walk = { path: [], issues: [], left: MAX_VALUES };
  visit(getRuleTree(kind), { spec }, walk);
  return walk.issues;
};
