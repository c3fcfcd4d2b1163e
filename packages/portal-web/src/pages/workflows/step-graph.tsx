import '@xyflow/react/dist/style.css';
import {
  ActionIcon,
  Box,
  Button,
  Drawer,
  Group,
  Stack,
  Text,
  useComputedColorScheme,
} from '@mantine/core';
import { ReactFlow, ReactFlowProvider, useReactFlow, type NodeChange } from '@xyflow/react';
import { useMemo, type ReactNode } from 'react';
import { FailureEdge } from './failure-edge.tsx';
import { graphElements } from './graph-elements.ts';
import { StepDetail } from './step-detail.tsx';
import { layoutSteps, type StepLayout } from './step-layout.ts';
import type { StepChoice } from './step-list.tsx';
import { StepBoxView, type StepNode } from './step-node.tsx';
import { innerSteps, type ToolStep, type WorkflowStep } from './workflow-step.ts';

/** The properties of {@link StepGraph}. */
export interface StepGraphProps extends StepChoice {
  readonly steps: readonly WorkflowStep[];
  readonly handlers: readonly ToolStep[];
}

const NODE_TYPES = { step: StepBoxView };
const EDGE_TYPES = { failure: FailureEdge };
const HIGHEST = 'min(70vh, 560px)';
const AROUND_PX = 64;
const FIRST_BOXES = 6;
/** Above this number of boxes, only those in the view are in the page. */
const MANY_BOXES = 100;
const TEXTS = {
  'node.a11yDescription.default': 'Press Enter to show the details of the step.',
  'node.a11yDescription.keyboardDisabled': 'Press Enter to show the details of the step.',
};

/** Nothing can be changed, and the wheel scrolls the page. */
const READ_ONLY = {
  nodesDraggable: false,
  nodesConnectable: false,
  edgesFocusable: false,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  zoomOnScroll: false,
  preventScrolling: false,
  proOptions: { hideAttribution: true },
} as const;

/** Long workflows begin with their first steps, in a size that can be read. */
const firstView = (nodes: readonly StepNode[]) => ({
  nodes: nodes.filter(({ parentId }) => parentId === undefined).slice(0, FIRST_BOXES),
  minZoom: 0.5,
  maxZoom: 1,
  padding: 0.1,
});

const ZoomButtons = (): ReactNode => {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Group gap={4}>
      <ActionIcon variant="default" aria-label="Zoom in" onClick={() => void zoomIn()}>
        +
      </ActionIcon>
      <ActionIcon variant="default" aria-label="Zoom out" onClick={() => void zoomOut()}>
        −
      </ActionIcon>
      <Button variant="default" size="compact-sm" onClick={() => void fitView()}>
        Show all steps
      </Button>
    </Group>
  );
};

const Graph = ({
  layout,
  shown,
  onShow,
}: StepChoice & { readonly layout: StepLayout }): ReactNode => {
  const colorMode = useComputedColorScheme('light');
  const { nodes, edges } = useMemo(() => graphElements(layout), [layout]);
  const marked = useMemo(
    () =>
      nodes.map((node) => ({
        ...node,
        selected: shown !== undefined && node.data.step?.id === shown,
      })),
    [nodes, shown],
  );
  const select = (changes: readonly NodeChange<StepNode>[]): void => {
    const change = changes.find((one) => one.type === 'select' && one.selected);
    const node = change?.type === 'select' ? nodes.find(({ id }) => id === change.id) : undefined;
    if (node?.data.step !== undefined) onShow(node.data.step.id);
  };
  return (
    <ReactFlow<StepNode>
      aria-label="Graph of the steps"
      nodes={marked}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      colorMode={colorMode}
      ariaLabelConfig={TEXTS}
      onNodesChange={select}
      fitView
      fitViewOptions={firstView(nodes)}
      minZoom={0.025}
      maxZoom={2}
      onlyRenderVisibleElements={nodes.length > MANY_BOXES}
      {...READ_ONLY}
    />
  );
};

const findStep = (
  steps: readonly WorkflowStep[],
  id: string | undefined,
): WorkflowStep | undefined =>
  steps.flatMap((step) => [step, ...innerSteps(step)]).find((step) => step.id === id);

/** The steps of a workflow as a graph. The details of a chosen step are next to it. */
export const StepGraph = (props: StepGraphProps): ReactNode => {
  const { steps, handlers, shown, onShow } = props;
  const step = findStep([...steps, ...handlers], shown);
  const layout = useMemo(() => layoutSteps({ steps, handlers }), [steps, handlers]);
  return (
    <ReactFlowProvider>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm">
            A dashed border is a condition; a dashed arrow leads to the steps after a failure.
          </Text>
          <ZoomButtons />
        </Group>
        <Box
          h={layout.height + AROUND_PX}
          mah={HIGHEST}
          bd="1px solid var(--mantine-color-default-border)"
        >
          <Graph layout={layout} shown={shown} onShow={onShow} />
        </Box>
      </Stack>
      <Drawer
        opened={step !== undefined}
        onClose={() => onShow(undefined)}
        position="right"
        title={<bdi>{step?.id}</bdi>}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {step !== undefined && <StepDetail step={step} />}
      </Drawer>
    </ReactFlowProvider>
  );
};
