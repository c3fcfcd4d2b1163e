import { WORKFLOW_TOOL_PREFIX } from '@gateway/toolset-composer';
import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { ReadFailure } from '../../display/read-failure.tsx';
import { PageLink } from '../../addresses/page-link.tsx';
import { LocalTime } from '../../display/local-time.tsx';
import { PageSection as Section } from '../../display/page-section.tsx';
import { useRunningCalls } from '../tool/use-tool-call.ts';
import { JsonBlock } from '../../display/json-block.tsx';
import { durationText } from './duration-text.ts';
import { RunBadge } from './run-badge.tsx';
import type { Run } from './run-facts.ts';
import { RunSteps } from './run-steps.tsx';
import { useRun } from './use-runs.ts';

const route = getRouteApi('/runs/$run');

const Head = ({ run }: { readonly run: Run }): ReactNode => (
  <Stack gap={4}>
    <Group gap="sm">
      <PageTitle title={`Run of ${run.workflow}`}>
        {' '}
        {'Run of '}
        <PageLink to="/workflows/$workflow" params={{ workflow: run.workflow }} inherit>
          <bdi>{run.workflow}</bdi>
        </PageLink>
      </PageTitle>
      <RunBadge status={run.status} />
    </Group>
    <Text size="sm">
      Started <LocalTime at={run.startedAt} />
      {run.completedAt !== undefined && `, took ${durationText(run.durationMs)}`}
    </Text>
    <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
      <bdi>{run.id}</bdi>
    </Text>
  </Stack>
);

const Notes = ({ run }: { readonly run: Run }): ReactNode => (
  <>
    {run.error !== undefined && (
      <Alert color="red" title="The run failed" style={{ overflowWrap: 'anywhere' }}>
        <Text component="bdi" size="sm">
          {run.error}
        </Text>
      </Alert>
    )}
    {run.isTruncated && (
      <Alert color="yellow" title="Parts of this run were not stored">
        Its record was too large.
        {run.omittedSteps > 0 && ` ${run.omittedSteps} steps are missing.`}
      </Alert>
    )}
  </>
);

/** The way to the page on which a run can be cancelled, for the person whose call it is. */
const OwnRunLink = ({ run: { workflow } }: { readonly run: Run }): ReactNode =>
  useRunningCalls().includes(`${WORKFLOW_TOOL_PREFIX}${workflow}`) ? (
    <PageLink to="/workflows/$workflow" params={{ workflow }} size="sm">
      Follow or cancel it
    </PageLink>
  ) : null;

const Steps = ({ run }: { readonly run: Run }): ReactNode => {
  const { step } = route.useSearch();
  const navigate = route.useNavigate();
  if (run.status === 'inprogress')
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" />
        <Text size="sm">The run continues. Its steps are shown when it has ended.</Text>
        <OwnRunLink run={run} />
      </Group>
    );
  if (run.steps.length === 0) return <Text size="sm">No step ran.</Text>;
  const show = (next: number | undefined): void => {
    void navigate({
      search: next === undefined ? {} : { step: next },
      replace: true,
      resetScroll: false,
    });
  };
  return <RunSteps run={run} shown={step} onShow={show} />;
};

const Parts = ({ run }: { readonly run: Run }): ReactNode => (
  <Stack>
    <Head run={run} />
    <Notes run={run} />
    <Section title="Steps">
      <Steps run={run} />
    </Section>
    <Section title="Input and result">
      <JsonBlock title="Input of the run" value={run.input} />
      {run.result !== undefined && <JsonBlock title="Result of the run" value={run.result} />}
    </Section>
  </Stack>
);

/** One run: its steps over time, inputs, results and failures. */
export const RunPage = (): ReactNode => {
  const { run: id } = route.useParams();
  const { data, error } = useRun(id);
  return (
    <Stack>
      <PageLink to="/runs" size="sm">
        All runs
      </PageLink>
      {data === undefined && error !== null && <PageTitle title="Run" />}
      <ReadFailure
        error={error}
        hasData={data !== undefined}
        next={<PageLink to="/runs">all runs</PageLink>}
      />
      {data !== undefined && <Parts run={data} />}
      {data === undefined && error === null && <LoadingSign label="Loading the run" />}
    </Stack>
  );
};
