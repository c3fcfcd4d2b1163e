import { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';
import type { JsonObject } from '@gateway/call-contract';
import { Alert, Button, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type StepView, WORKFLOW_TABS, type WorkflowSearch } from '../../addresses/searches.ts';
import { Loaded, LoadingArea } from '../../display/loading.tsx';
import { PageLink, PageTitle, TextList } from '../../display/page-parts.tsx';
import { JsonBlock, TextBlock } from '../../display/text-blocks.tsx';
import { findRunId } from '../runs/run-facts.ts';
import { RunList } from '../runs/runs-page.tsx';
import { CallState } from '../tool/call-state.tsx';
import { useToolCall } from '../tool/tool-call.ts';
import type { RunWorkflowProps } from './run-workflow.tsx';
import { type StepChoice, StepList } from './step-list.tsx';
import { useWorkflow, type WorkflowFacts } from './workflow-facts.ts';
import { WorkflowMark } from './workflows-page.tsx';

/** The library of graphs is loaded when a graph is shown. */
const StepGraph = lazy(async () => ({ default: (await import('./step-graph.tsx')).StepGraph }));

const GRAPH_PX = 560;
const NARROW = '(max-width: 48em)';
const VIEWS = [
  { value: 'graph', label: 'Graph' },
  { value: 'list', label: 'List' },
];

interface WorkflowStepsProps extends StepChoice {
  readonly workflow: WorkflowFacts;
  /** By the width of the window when absent. */
  readonly view: StepView | undefined;
  readonly onView: (view: StepView) => void;
}

/** The steps of a workflow, as a graph or as a nested list. */
const WorkflowSteps = (props: WorkflowStepsProps): ReactNode => {
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

const RunOutcome = ({
  result,
  isError,
}: {
  readonly result: JsonObject;
  readonly isError: boolean;
}): ReactNode => {
  const id = findRunId(result);
  return (
    <Alert
      color={isError ? 'red' : 'teal'}
      role="status"
      title={isError ? 'The run failed' : 'The run is completed'}
    >
      {id !== undefined && (
        <PageLink to="/runs/$run" params={{ run: id }} size="sm" c="inherit" underline="always">
          Show its steps and its result
        </PageLink>
      )}
    </Alert>
  );
};

const STEPS = 'steps';
const FORM_PX = 200;

/** Forms are large and loaded when they are needed. */
const RunWorkflow = lazy(async () => ({
  default: (await import('./run-workflow.tsx')).RunWorkflow,
}));

const EditWorkflow = lazy(async () => ({
  default: (await import('./workflow-editor.tsx')).EditWorkflow,
}));

const useShow = () => {
  const navigate = route.useNavigate();
  return (search: WorkflowSearch): void => {
    void navigate({ search, replace: true, resetScroll: false });
  };
};

const Steps = ({ workflow }: { readonly workflow: WorkflowFacts }): ReactNode => {
  const { view, step } = route.useSearch();
  const show = useShow();
  return (
    <WorkflowSteps
      workflow={workflow}
      view={view}
      onView={(next) => show({ view: next, ...(step !== undefined && { step }) })}
      shown={step}
      onShow={(next) => show({ ...(view && { view }), ...(next !== undefined && { step: next }) })}
    />
  );
};

const Runs = ({ workflow: { name } }: { readonly workflow: WorkflowFacts }): ReactNode => {
  const { status, page } = route.useSearch();
  return (
    <RunList
      search={{ workflow: name, ...(status && { status }), ...(page !== undefined && { page }) }}
      hasWorkflow={false}
      empty={<Text>This workflow has not run yet. Run it in the tab “Run it”.</Text>}
    />
  );
};

const Definition = ({ workflow }: { readonly workflow: WorkflowFacts }): ReactNode => {
  const [isEditing, setEditing] = useState(false);
  if (isEditing)
    return (
      <Suspense fallback={<LoadingArea h={FORM_PX} />}>
        <EditWorkflow definition={workflow.definition} onEnd={() => setEditing(false)} />
      </Suspense>
    );
  return (
    <Stack>
      <Button size="xs" w="fit-content" onClick={() => setEditing(true)}>
        Edit
      </Button>
      {workflow.output !== undefined && (
        <JsonBlock title="Returned document" value={workflow.output} />
      )}
      <TextBlock title="Definition" text={workflow.yaml} />
    </Stack>
  );
};

/** The parts of the page of a valid workflow. */
const WorkflowTabs = (props: RunWorkflowProps): ReactNode => {
  const { tab = STEPS } = route.useSearch();
  const show = useShow();
  const showTab = (value: string | null): void => {
    const next = WORKFLOW_TABS.find((known) => known === value);
    show(next === undefined ? {} : { tab: next });
  };
  return (
    <Tabs value={tab} onChange={showTab} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value={STEPS}>Steps</Tabs.Tab>
        <Tabs.Tab value="run">Run it</Tabs.Tab>
        <Tabs.Tab value="runs">Runs</Tabs.Tab>
        <Tabs.Tab value="definition">Definition</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={STEPS} pt="md">
        <Steps {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="run" pt="md">
        <Suspense fallback={<LoadingArea h={FORM_PX} />}>
          <RunWorkflow {...props} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="runs" pt="md">
        <Runs {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="definition" pt="md">
        <Definition {...props} />
      </Tabs.Panel>
    </Tabs>
  );
};

const route = getRouteApi('/workflows/$workflow');

const Head = ({ workflow }: { readonly workflow: WorkflowFacts }): ReactNode => (
  <Stack gap={4}>
    <Group gap="sm">
      <PageTitle title={workflow.name} kind="Workflow" />
      <WorkflowMark workflow={workflow} />
    </Group>
    <Text
      component="bdi"
      display="block"
      size="sm"
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {workflow.description}
    </Text>
  </Stack>
);

const Names = ({ names }: { readonly names: readonly string[] }): ReactNode => (
  <TextList texts={names} />
);

const Missing = ({ missing }: { readonly missing: readonly string[] }): ReactNode => (
  <Alert color="orange" title="You do not have these tools of the workflow">
    <Names names={missing} />
    <Text size="sm">
      Start the servers of these tools or sign in to them, then run the workflow.
    </Text>
  </Alert>
);

const Invalid = ({ workflow }: { readonly workflow: WorkflowFacts }): ReactNode => (
  <>
    <Alert color="red" title="The definition is not valid, so the workflow is not in the catalog">
      <Names names={workflow.problems} />
    </Alert>
    <Definition workflow={workflow} />
  </>
);

const Workflow = ({ workflow }: { readonly workflow: WorkflowFacts }): ReactNode => {
  const running = useToolCall(`${WORKFLOW_TOOL_PREFIX}${workflow.name}`);
  return (
    <Stack>
      <Head workflow={workflow} />
      {workflow.missing.length > 0 && <Missing missing={workflow.missing} />}
      <CallState
        running={running}
        label="Your run"
        runningText="The workflow runs…"
        cancelText="Cancel the run"
      >
        {(result, isError) => <RunOutcome result={result} isError={isError} />}
      </CallState>
      {workflow.isValid ? (
        <WorkflowTabs workflow={workflow} running={running} />
      ) : (
        <Invalid workflow={workflow} />
      )}
    </Stack>
  );
};

/** One workflow: its steps, a form that runs it, its runs, and its definition. */
export const WorkflowPage = (): ReactNode => {
  const { workflow: name } = route.useParams();
  const query = useWorkflow(name);
  return (
    <Stack>
      <PageLink to="/workflows" size="sm">
        All workflows
      </PageLink>
      {query.data === undefined && query.error !== null && (
        <PageTitle title={name} kind="Workflow" />
      )}
      <Loaded
        query={query}
        label="Loading the workflow"
        next={<PageLink to="/workflows">all workflows</PageLink>}
      >
        {(workflow) => <Workflow key={name} workflow={workflow} />}
      </Loaded>
    </Stack>
  );
};
