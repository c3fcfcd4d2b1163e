import { WORKFLOW_TOOL_PREFIX } from '@gateway/toolset-composer';
import { Alert, Group, List, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { ReadFailure } from '../../display/read-failure.tsx';
import { PageLink } from '../../addresses/page-link.tsx';
import { TextBlock } from '../../display/json-block.tsx';
import { useToolCall } from '../tool/use-tool-call.ts';
import { OwnRun } from './own-run.tsx';
import { useWorkflow } from './use-workflows.ts';
import type { WorkflowFacts } from './workflow-facts.ts';
import { WorkflowMark } from './workflow-mark.tsx';
import { WorkflowTabs } from './workflow-tabs.tsx';

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
  <List size="sm" style={{ overflowWrap: 'anywhere' }}>
    {names.map((name) => (
      <List.Item key={name}>
        <bdi>{name}</bdi>
      </List.Item>
    ))}
  </List>
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
    <TextBlock title="Definition" text={workflow.yaml} />
  </>
);

const Workflow = ({ workflow }: { readonly workflow: WorkflowFacts }): ReactNode => {
  const running = useToolCall(`${WORKFLOW_TOOL_PREFIX}${workflow.name}`);
  return (
    <Stack>
      <Head workflow={workflow} />
      {workflow.missing.length > 0 && <Missing missing={workflow.missing} />}
      <OwnRun running={running} />
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
  const { data, error } = useWorkflow(name);
  return (
    <Stack>
      <PageLink to="/workflows" size="sm">
        All workflows
      </PageLink>
      {data === undefined && error !== null && <PageTitle title={name} kind="Workflow" />}
      <ReadFailure
        error={error}
        hasData={data !== undefined}
        next={<PageLink to="/workflows">all workflows</PageLink>}
      />
      {data !== undefined && <Workflow key={name} workflow={data} />}
      {data === undefined && error === null && <LoadingSign label="Loading the workflow" />}
    </Stack>
  );
};
