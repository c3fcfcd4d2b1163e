import {
  Button,
  Collapse,
  Group,
  List,
  Progress,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { LocalTime } from '../../display/local-time.tsx';
import { durationText } from './duration-text.ts';
import { JsonBlock, TextBlock } from '../../display/json-block.tsx';
import { colorOfStatus, RunBadge } from './run-badge.tsx';
import type { Run, RunStep } from './run-facts.ts';
import { timelineBar } from './run-timeline.ts';

const FIRST_STEPS = 100;

/** The properties of {@link RunSteps}. */
export interface RunStepsProps {
  readonly run: Run;
  /** The position of the step whose details are shown. */
  readonly shown: number | undefined;
  readonly onShow: (step: number | undefined) => void;
}

const Bar = ({ run, step }: { readonly run: Run; readonly step: RunStep }): ReactNode => {
  const { offset, length } = timelineBar(run, step);
  return (
    <Progress.Root size="sm" aria-hidden>
      <Progress.Section value={offset} color="transparent" withAria={false} />
      <Progress.Section value={length} color={colorOfStatus(step.status)} withAria={false} />
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

const Head = ({ run, step }: { readonly run: Run; readonly step: RunStep }): ReactNode => (
  <Stack gap={4}>
    <Group gap="xs" wrap="nowrap" justify="space-between">
      <Text size="sm" ff="monospace" truncate>
        <bdi>{step.id}</bdi>
        {step.iteration !== undefined && ` [${step.iteration}]`}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm">{durationText(step.durationMs)}</Text>
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
export const RunSteps = ({ run, shown, onShow }: RunStepsProps): ReactNode => {
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
              <Head run={run} step={step} />
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
