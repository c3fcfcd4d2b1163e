import type { Pipeline, TemplateNode } from '../syntax/tree/template.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { isTrue } from '../values/is-true.ts';
import { printValue } from '../values/print-value.ts';
import { rangeIterations, type Iteration } from './range-items.ts';
import { RenderFailure } from './render-failure.ts';
import { MAX_RENDER_DEPTH } from './render-options.ts';
import { step, write } from './rendering.ts';
import { FunctionFailure, type TemplateValue } from '../values/template-value.ts';

/** The continuation after a node: the next node, the end of the loop, the next iteration, or a failure. */
type Flow = 'next' | 'break' | 'continue' | RenderFailure;

type NodeOf<Kind extends TemplateNode['kind']> = Extract<TemplateNode, { kind: Kind }>;

/** Evaluates a pipeline and assigns the value to the variable that it names. */
const valueOf = (pipeline: Pipeline, scope: Scope): TemplateValue | RenderFailure => {
  const value = evaluate(pipeline.value, scope);
  const slot = pipeline.targets[0];
  if (slot !== undefined && !(value instanceof RenderFailure)) scope.slots[slot] = value;
  return value;
};

const renderAction = ({ pipeline }: NodeOf<'action'>, scope: Scope): Flow => {
  const value = valueOf(pipeline, scope);
  if (value instanceof RenderFailure) return value;
  if (pipeline.targets.length > 0) return 'next';
  const printed = printValue(value, scope.rendering);
  if (printed instanceof FunctionFailure) return new RenderFailure(printed.text, pipeline.at);
  return write(scope.rendering, printed, pipeline.at) ?? 'next';
};

const renderBranches = (node: NodeOf<'if' | 'with'>, scope: Scope): Flow => {
  for (const { pipeline, body } of node.branches) {
    const value = valueOf(pipeline, scope);
    if (value instanceof RenderFailure) return value;
    if (!isTrue(value)) continue;
    return renderNodes(body, node.kind === 'with' ? { ...scope, dot: value } : scope);
  }
  return renderNodes(node.otherwise, scope);
};

const renderIteration = (
  { pipeline, body }: NodeOf<'range'>,
  scope: Scope,
  iteration: Iteration,
): Flow => {
  const spent = step(scope.rendering, pipeline.at);
  if (spent !== undefined) return spent;
  const [first, second] = pipeline.targets;
  const [key, item] = iteration;
  if (first !== undefined) scope.slots[first] = second === undefined ? item : key;
  if (second !== undefined) scope.slots[second] = item;
  return renderNodes(body, { ...scope, dot: item });
};

const renderRange = (node: NodeOf<'range'>, scope: Scope): Flow => {
  const value = evaluate(node.pipeline.value, scope);
  if (value instanceof RenderFailure) return value;
  const iterations = rangeIterations(value, scope.rendering);
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

const renderTemplate = ({ name, pipeline }: NodeOf<'template'>, scope: Scope): Flow => {
  const value = pipeline === undefined ? null : valueOf(pipeline, scope);
  if (value instanceof RenderFailure) return value;
  const nodes = scope.rendering.template.definitions.get(name) ?? [];
  return renderNodes(nodes, { rendering: scope.rendering, slots: [value], dot: value });
};

const renderNode = (node: TemplateNode, scope: Scope): Flow => {
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

const placeOf = (nodes: readonly TemplateNode[]): number => {
  for (const node of nodes) {
    if (node.kind === 'action' || node.kind === 'range') return node.pipeline.at;
    if (node.kind === 'template') return node.at;
  }
  return 0;
};

/** Renders nodes in order and appends their output to the text of the rendering. */
export function renderNodes(nodes: readonly TemplateNode[], scope: Scope): Flow {
  const { rendering } = scope;
  const { allowance } = rendering;
  if (rendering.depth >= MAX_RENDER_DEPTH) {
    return new RenderFailure(
      `more than ${MAX_RENDER_DEPTH} blocks and templates inside one another`,
      placeOf(nodes),
    );
  }
  rendering.depth += 1;
  let flow: Flow = 'next';
  for (const node of nodes) {
    allowance.steps -= 1;
    flow =
      allowance.steps < 0 ? (step(rendering, placeOf(nodes)) ?? 'next') : renderNode(node, scope);
    if (flow !== 'next') break;
  }
  rendering.depth -= 1;
  return flow;
}
