import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { JsonBlock, TextBlock } from '../../display/json-block.tsx';
import type { WorkflowStep } from './workflow-step.ts';

const Mark = ({ text }: { readonly text: string }): ReactNode => (
  <Badge size="sm" variant="default" tt="none">
    {text}
  </Badge>
);

/** The special properties of a step, in words. */
export const StepMarks = ({ step }: { readonly step: WorkflowStep }): ReactNode => (
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
