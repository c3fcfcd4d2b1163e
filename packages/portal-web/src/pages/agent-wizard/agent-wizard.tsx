import {
  formatStepLabel,
  TOOLS_HEADING,
  type WizardStep,
  type Composition,
  toDeclaredToolset,
  listUnknownPresets,
} from '@gateway/toolset-composer';
import { Alert, Button, Checkbox, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { WizardSearch } from '../../addresses/searches.ts';
import { Failure, LoadingSign, RevealAfter } from '../../display/loading.tsx';
import { showNotice } from '../../display/notices.tsx';
import { PageTitle } from '../../display/page-parts.tsx';
import { DetailsStep } from './details-step.tsx';
import { ReviewStep } from './review-step.tsx';
import { SkillsStep } from './skills-step.tsx';
import {
  useStep,
  useStepLoading,
  useToolsetInAddress,
  useWizardState,
  type WizardState,
  type WizardTask,
} from './wizard-state.ts';
import { useResolution, usePresets } from '../../queries/toolsets.ts';
import { ToolsStep } from '@gateway/portal-ui';
import { useAgents } from '../../queries/agents.ts';
import { useCatalog } from '../../queries/catalog.ts';
import { useStartSignIn } from '../../queries/sign-in.ts';

const useAgentToolsets = () =>
  (useAgents().data ?? []).flatMap(({ namespace, name, toolset }) =>
    toolset === undefined ? [] : [{ name: `${namespace}/${name}`, toolset }],
  );

const CatalogNotice = ({ catalog }: { readonly catalog: ReturnType<typeof useCatalog> }) => {
  if (catalog.error !== null)
    return (
      <Alert color="red" role="alert" title="The catalog cannot be read">
        {catalog.error.message}
      </Alert>
    );
  return catalog.isPending ? <LoadingSign label="Loading the catalog" /> : null;
};

/** The step of the wizard in which the toolset is composed, with the catalog of the user. */
const ComposeStep = ({
  composition,
  onChange,
}: {
  readonly composition: Composition;
  readonly onChange: (composition: Composition) => void;
}): ReactNode => {
  const catalog = useCatalog();
  const agents = useAgentToolsets();
  const presets = usePresets();
  const toolset = toDeclaredToolset(composition);
  const unknown = new Set(listUnknownPresets(toolset, presets));
  const resolution = useResolution(toolset);
  const known = toolset.filter((selector) => !unknown.has(selector));
  const rest = useResolution(unknown.size === 0 ? [] : known);
  const onSignIn = useStartSignIn();
  return (
    <ToolsStep
      composition={composition}
      onChange={onChange}
      presets={presets}
      sections={catalog.data}
      catalogNotice={<CatalogNotice catalog={catalog} />}
      agents={agents}
      resolution={resolution}
      rest={rest}
      onSignIn={onSignIn}
    />
  );
};

const HEADINGS: Readonly<Record<WizardStep, string>> = {
  Details: 'Describe the agent',
  Skills: "Choose the agent's skills",
  Tools: TOOLS_HEADING,
  Review: 'Review the agent',
};

/** The heading of a step. It receives the focus when the step changes, so that a screen reader continues there. */
const StepHeading = ({
  steps,
  step,
}: {
  readonly steps: readonly WizardStep[];
  readonly step: WizardStep;
}): ReactNode => {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus();
    shown.current = step;
  }, [step]);
  return (
    <div>
      <Text size="sm">{formatStepLabel(steps, step)}</Text>
      <Title order={2} size="h4" ref={heading} tabIndex={-1}>
        {HEADINGS[step]}
      </Title>
    </div>
  );
};

interface StepBarProps {
  readonly steps: readonly WizardStep[];
  readonly step: WizardStep;
  readonly onStep: (step: WizardStep) => void;
  /** The next step cannot be opened. */
  readonly isBlocked: boolean;
  /** The next step opens in a moment. */
  readonly isWaiting: boolean;
  /** Discards the draft; absent where there is none. */
  readonly onDiscard?: () => void;
  /** The button in place of the next step, on the last one. */
  readonly children: ReactNode;
}

/** The buttons that open the steps before and after. */
const StepBar = (props: StepBarProps): ReactNode => {
  const { steps, step, onStep, isBlocked, isWaiting, onDiscard, children } = props;
  const at = steps.indexOf(step);
  const [before, after] = [steps[at - 1], steps[at + 1]];
  return (
    <Group>
      {before !== undefined && (
        <Button variant="default" onClick={() => onStep(before)}>
          Back
        </Button>
      )}
      {after === undefined ? (
        children
      ) : (
        <Button disabled={isBlocked} loading={isWaiting} onClick={() => onStep(after)}>
          Continue
        </Button>
      )}
      {onDiscard !== undefined && (
        <Button variant="subtle" ml="auto" onClick={onDiscard}>
          Discard the draft
        </Button>
      )}
    </Group>
  );
};

const useSubmission = ({ submit, draft, doneText }: WizardTask) => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: submit,
    onSuccess: async (agent) => {
      const { namespace, name } = agent;
      draft.forget();
      // The page of the agent begins with what agent-manager has written.
      queries.setQueryData(['agents', namespace, name], agent);
      await navigate({ to: '/agents/$namespace/$name', params: { namespace, name } });
      showNotice(doneText);
      await queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
};

/** A problem that agent-manager does not know: the gateway refuses the toolset. */
const RefusedToolset = ({ declared }: Pick<WizardState, 'declared'>): ReactNode => {
  const { state } = useResolution(declared.access === 'toolset' ? declared.toolset : []);
  return state === 'unknown-preset' ? (
    <Alert color="orange" role="alert" title="The gateway does not know a preset of this toolset">
      It refuses every call of the agent until the preset is defined or removed from the toolset.
    </Alert>
  ) : null;
};

/** Writes the agent. Disabled until agent-manager accepts the draft as it is now. */
const SubmitAgent = ({
  task,
  state: { input, validation, declared },
}: {
  readonly task: WizardTask;
  readonly state: WizardState;
}): ReactNode => {
  const submission = useSubmission(task);
  const [force, setForce] = useState(false);
  const isValid = validation.isCurrent && validation.verdict?.valid === true;
  return (
    <Stack gap="sm">
      {task.isProtected && (
        <Checkbox
          label="Write it although a Git repository, or nothing, manages it or it is suspended"
          checked={force}
          onChange={({ currentTarget }) => setForce(currentTarget.checked)}
        />
      )}
      <RefusedToolset declared={declared} />
      <Failure error={submission.error} />
      <Group>
        <Button
          disabled={!(isValid || force)}
          loading={submission.isPending}
          onClick={() => submission.mutate({ ...input, ...(force && { force }) })}
        >
          {task.submitLabel}
        </Button>
      </Group>
    </Stack>
  );
};

interface AgentWizardProps {
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
  useToolsetInAddress(search, draft.toolset, (next) => onSearch(next, { replace: true }));
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
      <RevealAfter
        isReady={loading === undefined}
        {...(loading !== undefined && { label: loading })}
      >
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
      </RevealAfter>
    </Stack>
  );
};
