import { MarkerType, type Edge } from '@xyflow/react';
import type { StepArrow, StepBox, StepLayout } from './step-layout.ts';
import { FAILURE_HANDLE, type StepNode } from './step-node.tsx';
import { stepText } from './workflow-step.ts';

const COLOR = 'var(--mantine-color-dimmed)';
const FAILURE_COLOR = 'var(--mantine-color-red-text)';

const nodeOf = ({ id, step, parent, x, y, width, height }: StepBox): StepNode => ({
  id,
  type: 'step',
  position: { x, y },
  data: step === undefined ? {} : { step },
  width,
  height,
  measured: { width, height },
  selectable: step !== undefined,
  focusable: step !== undefined,
  ariaLabel: step === undefined ? 'When a step fails' : `${step.id}: ${stepText(step)}`,
  ...(parent !== undefined && { parentId: parent }),
});

const edgeOf = ({ from, to, kind }: StepArrow): Edge => {
  const isFailure = kind === 'failure';
  const color = isFailure ? FAILURE_COLOR : COLOR;
  return {
    id: `${from}>${to}`,
    source: from,
    target: to,
    type: isFailure ? 'failure' : 'smoothstep',
    style: { stroke: color, ...(isFailure && { strokeDasharray: '4 4' }) },
    markerEnd: { type: MarkerType.ArrowClosed, color },
    ...(isFailure && { sourceHandle: FAILURE_HANDLE }),
  };
};

/** Returns the boxes and arrows of a layout as elements of the graph library. */
export const graphElements = ({
  boxes,
  arrows,
}: StepLayout): { readonly nodes: readonly StepNode[]; readonly edges: Edge[] } => ({
  nodes: boxes.map(nodeOf),
  edges: arrows.map(edgeOf),
});
