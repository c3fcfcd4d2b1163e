import { Alert, Divider, Stack, Title } from '@mantine/core';
import type { Composition, WizardStep } from '@gateway/toolset-composer';
import { useState, type ReactNode } from 'react';
import { ComposeStep } from './compose-step.tsx';
import { DetailsStep } from './details-step.tsx';
import { ReviewStep } from './review-step.tsx';
import { SkillsStep } from './skills-step.tsx';
import { StepBar } from './step-bar.tsx';
import { StepHeading } from './step-heading.tsx';
import { SubmitAgent } from './submit-agent.tsx';
import type { WizardSearch } from '../../addresses/wizard-search.ts';
import { useWizardState, type WizardState } from './wizard-state.ts';
import type { WizardTask } from './wizard-task.ts';

/** The properties of {@link AgentWizard}. */
export interface AgentWizardProps {
  readonly task: WizardTask;
  readonly search: WizardSearch;
  /** Opens a step, as a page to go back from. */
  readonly onStep: (step: WizardStep) => void;
  readonly onToolset: (toolset: string[]) => void;
}

const Compose = ({
  props: { task, onToolset, search },
  composition,
}: {
  readonly props: AgentWizardProps;
  readonly composition: Composition;
}): ReactNode => (
  <Stack>
    {task.isEdit && task.declared === undefined && search.toolset === undefined && (
      <Alert color="red" title="Implicit full access">
        The agent declares no toolset, so it has every tool of the gateway. This stays until a
        toolset is chosen here.
      </Alert>
    )}
    <ComposeStep
      composition={composition}
      onChange={({ selectors }) => onToolset([...selectors])}
    />
  </Stack>
);

const Step = ({
  props,
  state,
  isAttempted,
}: {
  readonly props: AgentWizardProps;
  readonly state: WizardState;
  readonly isAttempted: boolean;
}): ReactNode => {
  const { form, onForm, isEdit } = props.task;
  switch (state.step) {
    case 'Details':
      return (
        <DetailsStep
          form={form}
          onForm={onForm}
          problems={state.problems}
          isEdit={isEdit}
          isAttempted={isAttempted}
        />
      );
    case 'Skills':
      return <SkillsStep form={form} onForm={onForm} />;
    case 'Tools':
      return <Compose props={props} composition={state.composition} />;
    case 'Review':
      return (
        <ReviewStep name={form.name} declared={state.declared} validation={state.validation} />
      );
  }
};

const REQUIRED = ['name', 'modelConfig'] as const;

/** The wizard that creates or changes an agent, at the step that its address names. */
export const AgentWizard = (props: AgentWizardProps): ReactNode => {
  const { task, search, onStep } = props;
  const [isAttempted, setAttempted] = useState(false);
  const state = useWizardState(task, search);
  const { steps, step } = state;
  const isIncomplete = REQUIRED.some(
    (field) => task.form[field] === '' || state.problems.of(field) !== undefined,
  );
  const open = (next: WizardStep): void => {
    if (step === 'Details' && isIncomplete) setAttempted(true);
    else onStep(next);
  };
  return (
    <Stack>
      <Title order={1} size="h3" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{task.title}</bdi>
      </Title>
      <StepHeading steps={steps} step={step} />
      <Step props={props} state={state} isAttempted={isAttempted} />
      <Divider />
      <StepBar
        steps={steps}
        step={step}
        onStep={open}
        isBlocked={step === 'Tools' && state.isToolsetRefused}
      >
        <SubmitAgent task={task} state={state} />
      </StepBar>
    </Stack>
  );
};
