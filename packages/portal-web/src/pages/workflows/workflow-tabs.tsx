import { Stack, Tabs, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { WORKFLOW_TABS, type WorkflowSearch } from '../../addresses/workflow-search.ts';
import { LoadingArea } from '../../display/loading.tsx';
import { JsonBlock, TextBlock } from '../../display/json-block.tsx';
import { RunList } from '../runs/run-list.tsx';
import type { RunWorkflowProps } from './run-workflow.tsx';
import type { WorkflowFacts } from './workflow-facts.ts';
import { WorkflowSteps } from './workflow-steps.tsx';

const route = getRouteApi('/workflows/$workflow');
const STEPS = 'steps';
const FORM_PX = 200;

/** Forms are large and loaded when they are needed. */
const RunWorkflow = lazy(async () => ({
  default: (await import('./run-workflow.tsx')).RunWorkflow,
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
  const show = useShow();
  return (
    <RunList
      search={{ workflow: name, ...(status && { status }), ...(page !== undefined && { page }) }}
      hasWorkflow={false}
      empty={<Text>This workflow has not run yet. Run it in the tab “Run it”.</Text>}
      onSearch={(search) => show({ tab: 'runs', ...search })}
    />
  );
};

const Definition = ({ workflow }: { readonly workflow: WorkflowFacts }): ReactNode => (
  <Stack>
    {workflow.output !== undefined && (
      <JsonBlock title="Returned document" value={workflow.output} />
    )}
    <TextBlock title="Definition" text={workflow.yaml} />
  </Stack>
);

/** The parts of the page of a valid workflow. */
export const WorkflowTabs = (props: RunWorkflowProps): ReactNode => {
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
