import { SegmentedControl, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, type ReactNode } from 'react';
import { LoadingArea } from '../../display/loading.tsx';
import type { StepView } from '../../addresses/workflow-search.ts';
import { StepList, type StepChoice } from './step-list.tsx';
import type { WorkflowFacts } from './workflow-facts.ts';

/** The library of graphs is loaded when a graph is shown. */
const StepGraph = lazy(async () => ({ default: (await import('./step-graph.tsx')).StepGraph }));

const GRAPH_PX = 560;
const NARROW = '(max-width: 48em)';
const VIEWS = [
  { value: 'graph', label: 'Graph' },
  { value: 'list', label: 'List' },
];

/** The properties of {@link WorkflowSteps}. */
export interface WorkflowStepsProps extends StepChoice {
  readonly workflow: WorkflowFacts;
  /** By the width of the window when absent. */
  readonly view: StepView | undefined;
  readonly onView: (view: StepView) => void;
}

/** The steps of a workflow, as a graph or as a nested list. */
export const WorkflowSteps = (props: WorkflowStepsProps): ReactNode => {
  const { workflow, view, onView, shown, onShow } = props;
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const isList = (view ?? (isNarrow ? 'list' : 'graph')) === 'list';
  const { steps, handlers } = workflow;
  const View = isList ? StepList : StepGraph;
  return (
    <Stack>
      <SegmentedControl
        aria-label="View of the steps"
        w="fit-content"
        value={isList ? 'list' : 'graph'}
        data={VIEWS}
        onChange={(next) => onView(next === 'list' ? 'list' : 'graph')}
      />
      <Suspense fallback={<LoadingArea h={GRAPH_PX} />}>
        <View steps={steps} handlers={handlers} shown={shown} onShow={onShow} />
      </Suspense>
    </Stack>
  );
};
