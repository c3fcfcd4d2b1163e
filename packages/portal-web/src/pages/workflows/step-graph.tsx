import '@xyflow/react/dist/style.css';
import {
  ActionIcon,
  Box,
  Button,
  Drawer,
  Group,
  Paper,
  Stack,
  Text,
  useComputedColorScheme,
} from '@mantine/core';
import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  getSmoothStepPath,
  Handle,
  MarkerType,
  type Node,
  type NodeChange,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { type ReactNode, useMemo } from 'react';
import { createStepLayout, type StepArrow, type StepBox, type StepLayout } from './step-layout.ts';
import { type StepChoice, StepDetail } from './step-list.tsx';
import {
  formatCondition,
  formatStep,
  listInnerSteps,
  type ShownToolStep,
  type WorkflowStep,
} from './workflow-facts.ts';

const BEND_PX = 48;

/** An arrow to the steps after a failure. All of them bend at the same place, so that they form one line. */
const FailureEdge = ({ id, style = {}, markerEnd, ...ends }: EdgeProps): ReactNode => {
  const { sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition } = ends;
  const [path] = getSmoothStepPath({
    ...{ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition },
    centerX: targetX - BEND_PX,
  });
  return <BaseEdge id={id} path={path} style={style} {...(markerEnd && { markerEnd })} />;
};

/** A box of the graph. The one without a step is the frame of the steps after a failure. */
type StepNode = Node<{ readonly step?: WorkflowStep }, 'step'>;

/** The point at which arrows to the steps after a failure begin. */
const FAILURE_HANDLE = 'failure';

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
      <Line text={formatStep(step)} />
      {step.condition !== undefined && <Line text={formatCondition(step.condition)} />}
    </>
  );
};

const toBorder = (step: WorkflowStep | undefined, isSelected: boolean) => ({
  borderStyle: step?.condition === undefined ? 'solid' : 'dashed',
  borderColor: isSelected ? 'var(--mantine-primary-color-filled)' : 'var(--mantine-color-dimmed)',
  ...(isSelected && { borderWidth: 2 }),
});

/** One step of the graph: its id, what it does, and its condition, which has a dashed border. */
const StepBoxView = ({ data: { step }, selected }: NodeProps<StepNode>): ReactNode => (
  <Paper withBorder h="100%" px="xs" py={6} style={toBorder(step, selected)}>
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

const COLOR = 'var(--mantine-color-dimmed)';
const FAILURE_COLOR = 'var(--mantine-color-red-text)';

const toNode = ({ id, step, parent, x, y, width, height }: StepBox): StepNode => ({
  id,
  type: 'step',
  position: { x, y },
  data: step === undefined ? {} : { step },
  width,
  height,
  measured: { width, height },
  selectable: step !== undefined,
  focusable: step !== undefined,
  ariaLabel: step === undefined ? 'When a step fails' : `${step.id}: ${formatStep(step)}`,
  ...(parent !== undefined && { parentId: parent }),
});

const toEdge = ({ from, to, kind }: StepArrow): Edge => {
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
const toGraphElements = ({
  boxes,
  arrows,
}: StepLayout): { readonly nodes: readonly StepNode[]; readonly edges: Edge[] } => ({
  nodes: boxes.map(toNode),
  edges: arrows.map(toEdge),
});

interface StepGraphProps extends StepChoice {
  readonly steps: readonly WorkflowStep[];
  readonly handlers: readonly ShownToolStep[];
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
const createFirstView = (nodes: readonly StepNode[]) => ({
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
  const { nodes, edges } = useMemo(() => toGraphElements(layout), [layout]);
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
      fitViewOptions={createFirstView(nodes)}
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
  steps.flatMap((step) => [step, ...listInnerSteps(step)]).find((step) => step.id === id);

/** The steps of a workflow as a graph. The details of a chosen step are next to it. */
export const StepGraph = (props: StepGraphProps): ReactNode => {
  const { steps, handlers, shown, onShow } = props;
  const step = findStep([...steps, ...handlers], shown);
  const layout = useMemo(() => createStepLayout({ steps, handlers }), [steps, handlers]);
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
