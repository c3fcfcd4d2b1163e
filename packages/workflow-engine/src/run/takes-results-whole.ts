import type { Chain, FunctionCall, Operand, Pipeline, TemplateNode } from '@gateway/crd-schemas';
import type { CompiledValue } from '../template/render-value.ts';

const WHOLE = ['results', 'context'];

const byChain = ({ root, steps }: Chain): boolean => {
  if (root.kind === 'call') return byCall(root);
  if (root.kind === 'chain') return byChain(root);
  const [first, second] = steps;
  return second === undefined && first?.kind === 'key' && WHOLE.includes(first.key);
};

/** `index .results "a"` takes one result out of them, and not them. */
const byCall = ({ name, arguments: operands }: FunctionCall): boolean =>
  operands.slice(name === 'index' && operands.length > 1 ? 1 : 0).some(byOperand);

function byOperand(operand: Operand): boolean {
  switch (operand.kind) {
    case 'literal':
      return false;
    case 'dot':
      return true;
    case 'variable':
      return operand.slot === 0;
    case 'chain':
      return byChain(operand);
    case 'call':
      return byCall(operand);
  }
}

/** The pipelines of a node, and the nodes in it. */
const partsOf = (
  node: TemplateNode,
): { pipelines: readonly Pipeline[]; nodes: readonly TemplateNode[] } => {
  switch (node.kind) {
    case 'text':
    case 'break':
    case 'continue':
      return { pipelines: [], nodes: [] };
    case 'action':
      return { pipelines: [node.pipeline], nodes: [] };
    case 'template':
      return { pipelines: node.pipeline === undefined ? [] : [node.pipeline], nodes: [] };
    case 'if':
    case 'with': {
      const bodies = [...node.branches.map(({ body }) => body), node.otherwise];
      return { pipelines: node.branches.map(({ pipeline }) => pipeline), nodes: bodies.flat() };
    }
    case 'range':
      return { pipelines: [node.pipeline], nodes: [...node.body, ...node.otherwise] };
  }
};

const byNode = (node: TemplateNode): boolean => {
  const { pipelines, nodes } = partsOf(node);
  return pipelines.some(({ value }) => byOperand(value)) || nodes.some(byNode);
};

/**
 * Whether rendering may give `.results` itself, or something that holds it, and not only what is inside. Says so too often rather than
 * too seldom.
 */
export const takesResultsWhole = (compiled: CompiledValue): boolean => {
  switch (compiled.kind) {
    case 'constant':
    case 'broken':
      return false;
    case 'list':
      return compiled.items.some(takesResultsWhole);
    case 'map':
      return compiled.entries.some(([, value]) => takesResultsWhole(value));
    case 'template': {
      const { nodes, definitions } = compiled.template;
      return [nodes, ...definitions.values()].some((body) => body.some(byNode));
    }
  }
};
