import { Badge, Button, Group, List, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { PageLink } from '../../display/page-parts.tsx';
import { JsonBlock, TextBlock } from '../../display/text-blocks.tsx';
import {
  formatCondition,
  formatStep,
  listInnerSteps,
  type WorkflowStep,
} from './workflow-facts.ts';

const Mark = ({ text }: { readonly text: string }): ReactNode => (
  <Badge size="sm" variant="default" tt="none">
    {text}
  </Badge>
);

/** The special properties of a step, in words. */
const StepMarks = ({ step }: { readonly step: WorkflowStep }): ReactNode => (
  <Group gap={4}>
    {step.allowsFailure && <Mark text="May fail" />}
    {step.isShown && <Mark text="In the result" />}
  </Group>
);

const Kind = ({ step }: { readonly step: WorkflowStep }): ReactNode => {
  switch (step.kind) {
    case 'tool':
      return (
        <>
          <Text size="sm">
            Tool:{' '}
            <PageLink to="/catalog/$tool" params={{ tool: step.tool }} size="sm" ff="monospace">
              <bdi>{step.tool}</bdi>
            </PageLink>
          </Text>
          <JsonBlock title="Arguments" value={step.args} />
        </>
      );
    case 'forEach':
      return <TextBlock title={`Items, each as ${step.as}`} text={step.items} />;
    case 'parallel':
      return <Text size="sm">{`${step.steps.length} steps run at the same time.`}</Text>;
  }
};

/** Everything that a definition says about one step. */
export const StepDetail = ({ step }: { readonly step: WorkflowStep }): ReactNode => (
  <Stack gap="xs" py="xs" style={{ overflowWrap: 'anywhere' }}>
    {step.description !== '' && (
      <Text component="bdi" size="sm">
        {step.description}
      </Text>
    )}
    <StepMarks step={step} />
    {step.condition !== undefined && (
      <JsonBlock title="Runs only if" value={step.condition.written} />
    )}
    <Kind step={step} />
  </Stack>
);

const FIRST_STEPS = 100;

/** Which step is shown in detail. */
export interface StepChoice {
  /** The id of the step. */
  readonly shown: string | undefined;
  readonly onShow: (step: string | undefined) => void;
}

interface ItemProps extends StepChoice {
  readonly step: WorkflowStep;
}

const FULL_WIDTH = { itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } } as const;

const Head = ({ step }: { readonly step: WorkflowStep }): ReactNode => (
  <Stack gap={2}>
    <Group gap="xs">
      <Text size="sm" fw={600} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{step.id}</bdi>
      </Text>
      <StepMarks step={step} />
    </Group>
    <Text size="sm" truncate>
      <bdi>{formatStep(step)}</bdi>
    </Text>
    {step.condition !== undefined && (
      <Text size="xs" truncate>
        <bdi>{formatCondition(step.condition)}</bdi>
      </Text>
    )}
  </Stack>
);

const Item = ({ step, shown, onShow }: ItemProps): ReactNode => {
  const isShown = step.id === shown;
  const inner = listInnerSteps(step);
  return (
    <List.Item>
      <UnstyledButton
        w="100%"
        aria-expanded={isShown}
        onClick={() => onShow(isShown ? undefined : step.id)}
      >
        <Head step={step} />
      </UnstyledButton>
      {isShown && <StepDetail step={step} />}
      {inner.length > 0 && (
        <Steps steps={inner} label={`Steps of ${step.id}`} shown={shown} onShow={onShow} />
      )}
    </List.Item>
  );
};

/** Steps in their order, steps in steps as lists in lists. Long lists begin with the first ones. */
const Steps = ({
  steps,
  label,
  ...choice
}: StepChoice & {
  readonly steps: readonly WorkflowStep[];
  readonly label: string;
}): ReactNode => {
  const [isWhole, setWhole] = useState(false);
  const visible = isWhole ? steps : steps.slice(0, FIRST_STEPS);
  return (
    <Stack gap="xs" pt="xs">
      <List type="ordered" spacing="xs" aria-label={label} styles={FULL_WIDTH} withPadding>
        {visible.map((step, at) => (
          <Item key={at} step={step} {...choice} />
        ))}
      </List>
      {visible.length < steps.length && (
        <Button variant="default" size="xs" onClick={() => setWhole(true)}>
          {`Show all ${steps.length} steps`}
        </Button>
      )}
    </Stack>
  );
};

/** The steps of a workflow as a nested list, and those that run when a step fails. */
export const StepList = ({
  steps,
  handlers,
  ...choice
}: StepChoice & {
  readonly steps: readonly WorkflowStep[];
  readonly handlers: readonly WorkflowStep[];
}): ReactNode => (
  <Stack>
    <Steps steps={steps} label="Steps" {...choice} />
    {handlers.length > 0 && (
      <section aria-label="When a step fails">
        <Title order={3} size="h5">
          When a step fails
        </Title>
        <Steps steps={handlers} label="Steps when a step fails" {...choice} />
      </section>
    )}
  </Stack>
);
