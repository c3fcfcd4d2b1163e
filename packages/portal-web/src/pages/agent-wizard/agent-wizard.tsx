import { Alert, Divider, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { InOrder } from '../../display/in-order.tsx';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import type { WizardSearch } from '../../addresses/wizard-search.ts';
import { ComposeStep } from './compose-step.tsx';
import { DetailsStep } from './details-step.tsx';
import { ReviewStep } from './review-step.tsx';
import { SkillsStep } from './skills-step.tsx';
import { StepBar } from './step-bar.tsx';
import { StepHeading } from './step-heading.tsx';
import { SubmitAgent } from './submit-agent.tsx';
import { useMirroredToolset } from './use-mirrored-toolset.ts';
import { useStep } from './use-step.ts';
import { useStepLoading } from './use-step-loading.ts';
import { useWizardState, type WizardState } from './wizard-state.ts';
import type { WizardTask } from './wizard-task.ts';

/** The properties of {@link AgentWizard}. */
export interface AgentWizardProps {
  readonly task: WizardTask;
  readonly search: WizardSearch;
  /** Changes the address, as a page to go back from or in place of the present one. */
  readonly onSearch: (search: WizardSearch, options: { readonly replace: boolean }) => void;
}

const Compose = ({
  task: { isEdit, declared, draft },
  state: { composition },
}: {
  readonly task: WizardTask;
  readonly state: WizardState;
}): ReactNode => (
  <Stack>
    {isEdit && declared === undefined && draft.toolset === undefined && (
      <Alert color="red" title="Implicit full access">
        The agent declares no toolset, so it has every tool of the gateway. This stays until a
        toolset is chosen here.
      </Alert>
    )}
    <ComposeStep
      composition={composition}
      onChange={({ selectors }) => draft.onToolset(selectors)}
    />
  </Stack>
);

const Step = ({
  task,
  state,
  attempts,
}: {
  readonly task: WizardTask;
  readonly state: WizardState;
  readonly attempts: number;
}): ReactNode => {
  const { isEdit, draft } = task;
  const { form, onForm } = draft;
  const fields = { form, onForm, problems: state.problems, isEdit, attempts };
  switch (state.step) {
    case 'Details':
      return <DetailsStep {...fields} />;
    case 'Skills':
      return <SkillsStep {...fields} />;
    case 'Tools':
      return <Compose task={task} state={state} />;
    case 'Review':
      return <ReviewStep name={form.name} state={state} />;
  }
};

/** The wizard that creates or changes an agent, at the step that its address names. */
export const AgentWizard = ({ task, search, onSearch }: AgentWizardProps): ReactNode => {
  const { draft } = task;
  const state = useWizardState(task, search);
  const { steps, step, validation } = state;
  const loading = useStepLoading(state);
  useMirroredToolset(search, draft.toolset, (next) => onSearch(next, { replace: true }));
  const change = useStep(task, state, (next) =>
    onSearch({ ...search, step: next }, { replace: false }),
  );
  const discard = (): void => {
    draft.discard();
    onSearch({}, { replace: false });
  };
  if (state.isPending) return <LoadingSign label="Loading the steps" />;
  return (
    <Stack>
      <PageTitle title={task.title} />
      <StepHeading steps={steps} step={step} />
      {validation.error !== undefined && (
        <Alert color="red" role="alert" title="agent-manager cannot check this agent">
          {validation.error}
        </Alert>
      )}
      <InOrder isReady={loading === undefined} {...(loading !== undefined && { label: loading })}>
        <Step task={task} state={state} attempts={change.attempts} />
        <Divider />
        <StepBar
          steps={steps}
          step={step}
          onStep={change.open}
          isBlocked={step === 'Tools' && state.isToolsetRefused}
          isWaiting={change.isWaiting}
          {...(draft.isChanged && { onDiscard: discard })}
        >
          <SubmitAgent task={task} state={state} />
        </StepBar>
      </InOrder>
    </Stack>
  );
};
