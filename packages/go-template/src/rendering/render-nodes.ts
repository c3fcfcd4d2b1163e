import {
  type Chain,
  type FunctionCall,
  type Operand,
  type Pipeline,
  shortenText,
  type NodeByKind,
  type TemplateNode,
} from '../syntax/template.ts';
import {
  FunctionFailure,
  isList,
  isMap,
  isTrue,
  listSortedKeys,
  type TemplateMap,
  type TemplateValue,
} from '../values/template-value.ts';
import { findFunction } from '../functions/function-table.ts';
import {
  MAX_RENDER_DEPTH,
  RenderFailure,
  type Rendering,
  type Slots,
  countStep,
  write,
} from './rendering.ts';
import { walkSteps } from '../values/walk-path.ts';
import { createBudgetFailure } from '../functions/definition.ts';
import { printValue } from '../values/export-json.ts';

/** The environment in which operands are evaluated. */
export interface RenderScope {
  readonly rendering: Rendering;
  readonly slots: Slots;
  readonly dot: TemplateValue;
}

type Evaluated = TemplateValue | RenderFailure;

/** Inside `range` and `with` the dot is another value; the hint names the reference from the root. */
const formatRootHint = ({ root, steps }: Chain, { slots, dot }: RenderScope): string => {
  const [first] = steps;
  const data = slots[0] ?? null;
  if (root.kind !== 'dot' || dot === data || first?.kind !== 'key' || !isMap(data)) return '';
  return Object.hasOwn(data, first.key) ? `; from inside range and with it is $.${first.key}` : '';
};

const evaluateChain = (chain: Chain, scope: RenderScope): Evaluated => {
  const spent = countStep(scope.rendering, chain.at, chain.steps.length);
  if (spent !== undefined) return spent;
  const root = evaluate(chain.root, scope);
  if (root instanceof RenderFailure) return root;
  const walked = walkSteps(root, chain.steps, chain.written);
  if (walked.ok) return walked.value;
  return new RenderFailure(`${walked.error}${formatRootHint(chain, scope)}`, chain.at);
};

/** Stops at the first argument that decides; a piped one was evaluated before. */
const evaluateUntil = (call: FunctionCall, decides: boolean, scope: RenderScope): Evaluated => {
  const operands = call.piped ? call.arguments.slice(0, -1) : call.arguments;
  const last = call.piped ? call.arguments.at(-1) : undefined;
  const piped = last === undefined ? undefined : evaluate(last, scope);
  if (piped instanceof RenderFailure) return piped;
  let value: TemplateValue = null;
  for (const operand of operands) {
    const next = evaluate(operand, scope);
    if (next instanceof RenderFailure) return next;
    value = next;
    if (isTrue(value) === decides) return value;
  }
  return piped === undefined ? value : piped;
};

const evaluateCall = (call: FunctionCall, scope: RenderScope): Evaluated => {
  const args: TemplateValue[] = [];
  for (const operand of call.arguments) {
    const value = evaluate(operand, scope);
    if (value instanceof RenderFailure) return value;
    args.push(value);
  }
  // Another argument may have updated the variable after it was read.
  if (call.updates !== undefined) args[0] = scope.slots[call.updates] ?? null;
  const answer = findFunction(call.name)(args, scope.rendering);
  if (!(answer instanceof FunctionFailure)) {
    if (call.updates !== undefined) scope.slots[call.updates] = answer;
    return answer;
  }
  // A call of `index` is a reference: the message shows it whole.
  const who = call.name === 'index' ? shortenText(call.written) : call.name;
  return new RenderFailure(`${who}: ${answer.text}`, call.at);
};

const evaluateFunction = (call: FunctionCall, scope: RenderScope): Evaluated => {
  const spent = countStep(scope.rendering, call.at, call.arguments.length);
  if (spent !== undefined) return spent;
  if (call.name === 'and') return evaluateUntil(call, false, scope);
  if (call.name === 'or') return evaluateUntil(call, true, scope);
  return evaluateCall(call, scope);
};

/** Returns the value of an operand. */
export function evaluate(operand: Operand, scope: RenderScope): Evaluated {
  switch (operand.kind) {
    case 'literal':
      return operand.value;
    case 'dot':
      return scope.dot;
    case 'variable':
      return scope.slots[operand.slot] ?? null;
    case 'chain':
      return evaluateChain(operand, scope);
    case 'call':
      return evaluateFunction(operand, scope);
  }
}

/** An iteration of a loop: the index or the key, and the item. */
export type Iteration = readonly [key: TemplateValue, item: TemplateValue];

function* walkList(list: readonly TemplateValue[]): Generator<Iteration> {
  for (const [index, item] of list.entries()) yield [index, item];
}

function* walkMap(map: TemplateMap, keys: readonly string[]): Generator<Iteration> {
  for (const key of keys) yield [key, map[key] ?? null];
}

/** Returns the keys in order, sorted once in a rendering. */
const findKeys = (map: TemplateMap, { keys, spend }: Rendering): readonly string[] | undefined => {
  const known = keys.get(map);
  if (known !== undefined) return known;
  const sorted = listSortedKeys(map, spend);
  if (sorted !== undefined) keys.set(map, sorted);
  return sorted;
};

const createMapRange = (
  map: TemplateMap,
  rendering: Rendering,
): Iterable<Iteration> | FunctionFailure => {
  const keys = findKeys(map, rendering);
  return keys === undefined ? createBudgetFailure() : walkMap(map, keys);
};

function* walkNumbers(count: number): Generator<Iteration> {
  for (let index = 0; index < count; index += 1) yield [index, index];
}

const createFailure = (what: string): FunctionFailure =>
  new FunctionFailure(`range can't iterate over ${what}`);

/**
 * Returns the iterations of `range`: the items of a list, the values of a map in the order of its keys, or the numbers below a
 * number. Null has none.
 */
const createRange = (
  value: TemplateValue,
  rendering: Rendering,
): Iterable<Iteration> | FunctionFailure => {
  if (value === null) return [];
  if (isList(value)) return walkList(value);
  if (isMap(value)) return createMapRange(value, rendering);
  if (typeof value !== 'number') {
    return createFailure(typeof value === 'object' ? 'a time' : `a ${typeof value}`);
  }
  return Number.isSafeInteger(value) ? walkNumbers(value) : createFailure(`${value}`);
};

/** The continuation after a node: the next node, the end of the loop, the next iteration, or a failure. */
type Flow = 'next' | 'break' | 'continue' | RenderFailure;

/** Evaluates a pipeline and assigns the value to the variable that it names. */
const resolveValue = (pipeline: Pipeline, scope: RenderScope): TemplateValue | RenderFailure => {
  const value = evaluate(pipeline.value, scope);
  const slot = pipeline.targets[0];
  if (slot !== undefined && !(value instanceof RenderFailure)) scope.slots[slot] = value;
  return value;
};

const renderAction = ({ pipeline }: NodeByKind<'action'>, scope: RenderScope): Flow => {
  const value = resolveValue(pipeline, scope);
  if (value instanceof RenderFailure) return value;
  if (pipeline.targets.length > 0) return 'next';
  const printed = printValue(value, scope.rendering);
  if (printed instanceof FunctionFailure) return new RenderFailure(printed.text, pipeline.at);
  return write(scope.rendering, printed, pipeline.at) ?? 'next';
};

const renderBranches = (node: NodeByKind<'if' | 'with'>, scope: RenderScope): Flow => {
  for (const { pipeline, body } of node.branches) {
    const value = resolveValue(pipeline, scope);
    if (value instanceof RenderFailure) return value;
    if (!isTrue(value)) continue;
    return renderNodes(body, node.kind === 'with' ? { ...scope, dot: value } : scope);
  }
  return renderNodes(node.otherwise, scope);
};

const renderIteration = (
  { pipeline, body }: NodeByKind<'range'>,
  scope: RenderScope,
  iteration: Iteration,
): Flow => {
  const spent = countStep(scope.rendering, pipeline.at);
  if (spent !== undefined) return spent;
  const [first, second] = pipeline.targets;
  const [key, item] = iteration;
  if (first !== undefined) scope.slots[first] = second === undefined ? item : key;
  if (second !== undefined) scope.slots[second] = item;
  return renderNodes(body, { ...scope, dot: item });
};

const renderRange = (node: NodeByKind<'range'>, scope: RenderScope): Flow => {
  const value = evaluate(node.pipeline.value, scope);
  if (value instanceof RenderFailure) return value;
  const iterations = createRange(value, scope.rendering);
  if (iterations instanceof FunctionFailure)
    return new RenderFailure(iterations.text, node.pipeline.at);
  let turned = false;
  for (const iteration of iterations) {
    turned = true;
    const flow = renderIteration(node, scope, iteration);
    if (flow === 'break') break;
    if (flow instanceof RenderFailure) return flow;
  }
  return turned ? 'next' : renderNodes(node.otherwise, scope);
};

const renderTemplate = ({ name, pipeline }: NodeByKind<'template'>, scope: RenderScope): Flow => {
  const value = pipeline === undefined ? null : resolveValue(pipeline, scope);
  if (value instanceof RenderFailure) return value;
  const nodes = scope.rendering.template.definitions.get(name) ?? [];
  return renderNodes(nodes, { rendering: scope.rendering, slots: [value], dot: value });
};

const renderNode = (node: TemplateNode, scope: RenderScope): Flow => {
  switch (node.kind) {
    case 'text':
      return write(scope.rendering, node.text, 0) ?? 'next';
    case 'action':
      return renderAction(node, scope);
    case 'if':
    case 'with':
      return renderBranches(node, scope);
    case 'range':
      return renderRange(node, scope);
    case 'break':
    case 'continue':
      return node.kind;
    case 'template':
      return renderTemplate(node, scope);
  }
};

const findPlace = (nodes: readonly TemplateNode[]): number => {
  for (const node of nodes) {
    if (node.kind === 'action' || node.kind === 'range') return node.pipeline.at;
    if (node.kind === 'template') return node.at;
  }
  return 0;
};

/** Renders nodes in order and appends their output to the text of the rendering. */
export function renderNodes(nodes: readonly TemplateNode[], scope: RenderScope): Flow {
  const { rendering } = scope;
  const { allowance } = rendering;
  if (rendering.depth >= MAX_RENDER_DEPTH) {
    return new RenderFailure(
      `more than ${MAX_RENDER_DEPTH} blocks and templates inside one another`,
      findPlace(nodes),
    );
  }
  rendering.depth += 1;
  let flow: Flow = 'next';
  for (const node of nodes) {
    allowance.steps -= 1;
    flow =
      allowance.steps < 0
        ? (countStep(rendering, findPlace(nodes)) ?? 'next')
        : renderNode(node, scope);
    if (flow !== 'next') break;
  }
  rendering.depth -= 1;
  return flow;
}
