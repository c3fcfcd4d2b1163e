import { Paper, Text } from '@mantine/core';
import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import type { ReactNode } from 'react';
import { conditionText, stepText, type WorkflowStep } from './workflow-step.ts';

/** A box of the graph. The one without a step is the frame of the steps after a failure. */
export type StepNode = Node<{ readonly step?: WorkflowStep }, 'step'>;

/** The point at which arrows to the steps after a failure begin. */
export const FAILURE_HANDLE = 'failure';

const HIDDEN = { opacity: 0, pointerEvents: 'none' } as const;

const Line = ({ text, isName = false }: { readonly text: string; readonly isName?: boolean }) => (
  <Text size="xs" truncate {...(isName && { fw: 600, ff: 'monospace' })}>
    <bdi>{text}</bdi>
  </Text>
);

const Content = ({ step }: { readonly step: WorkflowStep | undefined }): ReactNode => {
  if (step === undefined) return <Line text="When a step fails" isName />;
  return (
    <>
      <Line text={step.id} isName />
      <Line text={stepText(step)} />
      {step.condition !== undefined && <Line text={conditionText(step.condition)} />}
    </>
  );
};

const borderOf = (step: WorkflowStep | undefined, isSelected: boolean) => ({
  borderStyle: step?.condition === undefined ? 'solid' : 'dashed',
  borderColor: isSelected ? 'var(--mantine-primary-color-filled)' : 'var(--mantine-color-dimmed)',
  ...(isSelected && { borderWidth: 2 }),
});

/** One step of the graph: its id, what it does, and its condition, which has a dashed border. */
export const StepBoxView = ({ data: { step }, selected }: NodeProps<StepNode>): ReactNode => (
  <Paper withBorder h="100%" px="xs" py={6} style={borderOf(step, selected)}>
    <Handle
      type="target"
      position={step === undefined ? Position.Left : Position.Top}
      isConnectable={false}
      style={HIDDEN}
    />
    <Content step={step} />
    <Handle type="source" position={Position.Bottom} isConnectable={false} style={HIDDEN} />
    <Handle
      type="source"
      id={FAILURE_HANDLE}
      position={Position.Right}
      isConnectable={false}
      style={HIDDEN}
    />
  </Paper>
);
