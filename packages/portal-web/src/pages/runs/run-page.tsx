import { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';
import {
  Alert,
  Button,
  Collapse,
  Group,
  List,
  Loader,
  Progress,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../display/loading.tsx';
import { LocalTime, PageLink, PageSection, PageTitle } from '../../display/page-parts.tsx';
import { JsonBlock, TextBlock } from '../../display/text-blocks.tsx';
import { computeBar, formatDuration, type RunDetail, type RunStep, useRun } from './run-facts.ts';
import { resolveStatusColor, RunBadge } from './run-badge.tsx';
import { useRunningCalls } from '../tool/tool-call.ts';

const FIRST_STEPS = 100;

interface RunStepsProps {
  readonly run: RunDetail;
  /** The position of the step whose details are shown. */
  readonly shown: number | undefined;
  readonly onShow: (step: number | undefined) => void;
}

const Bar = ({ run, step }: { readonly run: RunDetail; readonly step: RunStep }): ReactNode => {
  const { offset, length } = computeBar(run, step);
  return (
    <Progress.Root size="sm" aria-hidden>
      <Progress.Section value={offset} color="transparent" withAria={false} />
      <Progress.Section value={length} color={resolveStatusColor(step.status)} withAria={false} />
    </Progress.Root>
  );
};

const Details = ({ step }: { readonly step: RunStep }): ReactNode => (
  <Stack gap="xs" py="xs">
    <Text size="sm">
      Tool:{' '}
      <PageLink to="/catalog/$tool" params={{ tool: step.tool }} size="sm" ff="monospace">
        <bdi>{step.tool}</bdi>
      </PageLink>
    </Text>
    <Text size="sm">
      Started <LocalTime at={step.startedAt} />
    </Text>
    {step.error !== undefined && <TextBlock title="Failure" text={step.error} />}
    <JsonBlock title="Input" value={step.input} />
    {step.result !== undefined && <JsonBlock title="Result" value={step.result} />}
  </Stack>
);

const StepHead = ({
  run,
  step,
}: {
  readonly run: RunDetail;
  readonly step: RunStep;
}): ReactNode => (
  <Stack gap={4}>
    <Group gap="xs" wrap="nowrap" justify="space-between">
      <Text size="sm" ff="monospace" truncate>
        <bdi>{step.id}</bdi>
        {step.iteration !== undefined && ` [${step.iteration}]`}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm">{formatDuration(step.durationMs)}</Text>
        <RunBadge status={step.status} />
      </Group>
    </Group>
    <Bar run={run} step={step} />
    {step.error !== undefined && (
      <Text size="xs" truncate>
        <bdi>{step.error}</bdi>
      </Text>
    )}
  </Stack>
);

/** The steps of a run with the time in which each ran, and the details of one of them. */
const RunSteps = ({ run, shown, onShow }: RunStepsProps): ReactNode => {
  const [isWhole, setWhole] = useState(shown !== undefined && shown >= FIRST_STEPS);
  const steps = isWhole ? run.steps : run.steps.slice(0, FIRST_STEPS);
  return (
    <Stack gap="sm">
      <List
        type="ordered"
        listStyleType="none"
        spacing="xs"
        styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
      >
        {steps.map((step, at) => (
          <List.Item key={at}>
            <UnstyledButton
              w="100%"
              aria-expanded={at === shown}
              onClick={() => onShow(at === shown ? undefined : at)}
            >
              <StepHead run={run} step={step} />
            </UnstyledButton>
            <Collapse expanded={at === shown}>{at === shown && <Details step={step} />}</Collapse>
          </List.Item>
        ))}
      </List>
      {steps.length < run.steps.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          {`Show all ${run.steps.length} steps`}
        </Button>
      )}
    </Stack>
  );
};

const route = getRouteApi('/runs/$run');

const Head = ({ run }: { readonly run: RunDetail }): ReactNode => (
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
      {run.completedAt !== undefined && `, took ${formatDuration(run.durationMs)}`}
    </Text>
    <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
      <bdi>{run.id}</bdi>
    </Text>
  </Stack>
);

const Notes = ({ run }: { readonly run: RunDetail }): ReactNode => (
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

/** The way to the page on which a run can be cancelled, for the user whose call it is. */
const OwnRunLink = ({ run: { workflow } }: { readonly run: RunDetail }): ReactNode =>
  useRunningCalls().includes(`${WORKFLOW_TOOL_PREFIX}${workflow}`) ? (
    <PageLink to="/workflows/$workflow" params={{ workflow }} size="sm">
      Follow or cancel it
    </PageLink>
  ) : null;

const Steps = ({ run }: { readonly run: RunDetail }): ReactNode => {
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

const Parts = ({ run }: { readonly run: RunDetail }): ReactNode => (
  <Stack>
    <Head run={run} />
    <Notes run={run} />
    <PageSection title="Steps">
      <Steps run={run} />
    </PageSection>
    <PageSection title="Input and result">
      <JsonBlock title="Input of the run" value={run.input} />
      {run.result !== undefined && <JsonBlock title="Result of the run" value={run.result} />}
    </PageSection>
  </Stack>
);

/** One run: its steps over time, inputs, results and failures. */
export const RunPage = (): ReactNode => {
  const { run: id } = route.useParams();
  const query = useRun(id);
  return (
    <Stack>
      <PageLink to="/runs" size="sm">
        All runs
      </PageLink>
      {query.data === undefined && query.error !== null && <PageTitle title="Run" />}
      <Loaded query={query} label="Loading the run" next={<PageLink to="/runs">all runs</PageLink>}>
        {(run) => <Parts run={run} />}
      </Loaded>
    </Stack>
  );
};
