import { Alert, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { PageLink } from '../../addresses/page-link.tsx';
import type { WorkflowsSearch } from '../../addresses/workflow-search.ts';
import { FoundWorkflows } from './found-workflows.tsx';
import { useWorkflows } from './use-workflows.ts';

const route = getRouteApi('/workflows');

const Empty = (): ReactNode => (
  <Text>
    There is no workflow yet. A workflow makes one tool of several calls: write its definition into
    the directory <code>workflows</code> of the gateway, or call{' '}
    <PageLink to="/catalog/$tool" params={{ tool: 'core_workflow_create' }} search={{ tab: 'try' }}>
      core_workflow_create
    </PageLink>
    .
  </Text>
);

/** The workflows of the gateway, for the person who reads the page. */
export const WorkflowsPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPending } = useWorkflows();
  const show = (next: WorkflowsSearch): void => {
    void navigate({ search: next, replace: true, resetScroll: false });
  };
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle title="Workflows" />
        <PageLink to="/runs" size="sm">
          Runs of all workflows
        </PageLink>
      </Group>
      {isPending && <LoadingSign label="Loading the workflows" />}
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data?.length === 0 && <Empty />}
      {data !== undefined && data.length > 0 && (
        <FoundWorkflows workflows={data} search={search} onSearch={show} />
      )}
    </Stack>
  );
};
