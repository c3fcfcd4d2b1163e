import type { Agent, AgentManagerClient, ValidateResult } from '@gateway/agent-manager-client';
import {
  type Composition,
  type DeclaredAccess,
  toDeclaredToolset,
  EMPTY_COMPOSITION,
  listSelectorProblems,
  validateSize,
  fromToolset,
  type WizardStep,
  listWizardSteps,
} from '@gateway/toolset-composer';
import { useDebouncedValue } from '@mantine/hooks';
import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { WizardSearch } from '../../addresses/searches.ts';
import { type AgentChange, type AgentForm, listAgentChanges, TEXT_FIELDS } from './agent-form.ts';
import { useChoices } from './choices.ts';
import { type FieldProblems, sortProblems } from './field-problems.ts';
import type { WizardDraft } from './wizard-draft.ts';
import { unwrapAnswer, useAgentManager, useAgents } from '../../queries/agents.ts';
import { useCatalog } from '../../queries/catalog.ts';
import { usePresets, useResolution } from '../../queries/toolsets.ts';

/** The arguments of a dry run. */
type Draft = Parameters<AgentManagerClient['validateAgent']>[0];

/** The verdict of agent-manager on a draft. */
interface DraftVerdict {
  readonly checked: Draft;
  readonly verdict: ValidateResult;
}

/** The last dry run of a draft. Without `verdict` there was none yet, or agent-manager did not give one. */
export interface Validation extends Partial<DraftVerdict> {
  /** The reason why there is no verdict. */
  readonly error?: string;
  /** The verdict, or the reason, is about the draft as it is now. */
  readonly isCurrent: boolean;
  /** Checks the draft as it is now, without a pause. Rejects with the sentence of agent-manager. */
  readonly check: () => Promise<DraftVerdict>;
}

const PAUSE_MS = 400;

const createValidationQuery = (agentManager: AgentManagerClient, checked: Draft) =>
  queryOptions({
    queryKey: ['validation', JSON.stringify(checked)],
    queryFn: async ({ signal }): Promise<DraftVerdict> => ({
      checked,
      verdict: unwrapAnswer(await agentManager.validateAgent(checked, { signal })),
    }),
  });

/** Checks a draft with agent-manager after a pause, without a change. */
const useValidation = (draft: Draft): Validation => {
  const agentManager = useAgentManager();
  const queries = useQueryClient();
  const text = JSON.stringify(draft);
  const [debounced] = useDebouncedValue({ text, draft }, PAUSE_MS);
  const current = createValidationQuery(agentManager, draft);
  const isKnown = queries.getQueryData(current.queryKey) !== undefined;
  const { data, error, isPlaceholderData, isPending } = useQuery({
    ...(isKnown ? current : createValidationQuery(agentManager, debounced.draft)),
    placeholderData: keepPreviousData,
  });
  const isSettled = !isPlaceholderData && !isPending;
  return {
    ...(error === null ? data : { error: error.message }),
    isCurrent: isSettled && (isKnown || debounced.text === text),
    check: () => queries.query(current),
  };
};

/** The task of a wizard: to create the agent that a user describes, or to change one. */
export interface WizardTask {
  readonly title: string;
  /** The name and namespace are those of an existing agent. */
  readonly isEdit: boolean;
  readonly draft: WizardDraft;
  /** The toolset that the agent has when the user does not change it; absent when it declares none. */
  readonly declared?: readonly string[];
  /** agent-manager writes only with `force`. */
  readonly isProtected: boolean;
  readonly toArguments: (form: AgentForm, composition: Composition | undefined) => Draft;
  readonly submitLabel: string;
  /** A sentence for the user after the agent was written. */
  readonly doneText: string;
  /** Writes the agent. Rejects with the sentence of agent-manager. */
  readonly submit: (input: Draft) => Promise<Agent>;
}

/** The wizard as it is now. */
export interface WizardState {
  /** The steps are not known yet. */
  readonly isPending: boolean;
  readonly steps: readonly WizardStep[];
  readonly step: WizardStep;
  /** The toolset as the Tools step shows it. */
  readonly composition: Composition;
  /** The access that the agent declares after the wizard. */
  readonly declared: DeclaredAccess;
  /** The parts that differ from the agent as it is; absent for a new one. */
  readonly changes?: readonly AgentChange[];
  /** The arguments with which the agent is written. */
  readonly input: Draft;
  readonly validation: Validation;
  readonly problems: FieldProblems;
  /** The toolset cannot be declared. */
  readonly isToolsetRefused: boolean;
}

const FIELDS = ['name', 'namespace', ...TEXT_FIELDS, 'skills'] as const;

/** The toolset that the wizard writes; `undefined` for one that stays as it is. */
const toComposition = ({ isEdit, draft: { toolset } }: WizardTask): Composition | undefined => {
  if (toolset !== undefined) return fromToolset(toolset);
  return isEdit ? undefined : EMPTY_COMPOSITION;
};

const toAccess = (
  written: Composition | undefined,
  toolset: readonly string[] | undefined,
): DeclaredAccess => {
  if (written !== undefined) return { access: 'toolset', toolset: toDeclaredToolset(written) };
  return toolset === undefined ? { access: 'implicit-full' } : { access: 'toolset', toolset };
};

/** Returns the changes of an agent that exists. */
const toChanges = (
  { isEdit, draft: { before, form }, declared: toolset }: WizardTask,
  declared: DeclaredAccess,
): Pick<WizardState, 'changes'> => {
  if (!isEdit) return {};
  const former = { form: before, declared: toAccess(undefined, toolset) };
  return { changes: listAgentChanges(former, { form, declared }) };
};

/** Returns the problems of the arguments, as far as they are those that were checked. */
const findInputProblems = (
  { verdict, checked }: Partial<DraftVerdict>,
  { isEdit }: WizardTask,
  input: Draft,
): FieldProblems => {
  const valueOf = (draft: Draft | undefined, field: string): string =>
    JSON.stringify(FIELDS.filter((name) => name === field).map((name) => draft?.[name]));
  return sortProblems(verdict?.errors ?? [], {
    fields: FIELDS,
    isNew: !isEdit,
    isChecked: (field) => valueOf(checked, field) === valueOf(input, field),
  });
};

/** Derives the state of a wizard from its task and its address, with a dry run of the draft. */
export const useWizardState = (task: WizardTask, search: WizardSearch): WizardState => {
  const { form } = task.draft;
  const { hasSkills, isPending } = useChoices(form.namespace);
  const steps = listWizardSteps({ hasSkills });
  const written = toComposition(task);
  const composition = written ?? fromToolset(task.declared ?? []);
  const input = task.toArguments(form, written);
  const validation = useValidation(input);
  const declared = toAccess(written, task.declared);
  return {
    isPending,
    steps,
    step: steps.find((step) => step === search.step) ?? 'Details',
    composition,
    declared,
    ...toChanges(task, declared),
    input,
    validation,
    problems: findInputProblems(validation, task, input),
    isToolsetRefused:
      validateSize(composition) !== undefined || listSelectorProblems(composition).length > 0,
  };
};

const REQUIRED = ['name', 'modelConfig'] as const;

/** The way to the next step. */
interface StepChange {
  readonly open: (step: WizardStep) => void;
  /** How often the user has asked for a step that the fields did not permit. */
  readonly attempts: number;
  /** The step opens as soon as agent-manager has checked the fields. */
  readonly isWaiting: boolean;
}

/** Opens a step when agent-manager has no objection to the required fields as they are now; otherwise their problems are shown. */
export const useStep = (
  task: WizardTask,
  { step, validation, input }: WizardState,
  onStep: (step: WizardStep) => void,
): StepChange => {
  const { form } = task.draft;
  const [attempts, setAttempts] = useState(0);
  const isEmpty = REQUIRED.some((field) => form[field] === '');
  const openUnless = (isRefused: boolean, next: WizardStep): void => {
    if (isRefused || isEmpty) setAttempts(attempts + 1);
    else onStep(next);
  };
  const check = useMutation({
    mutationFn: (_next: WizardStep) => validation.check(),
    onSuccess: (checked, next) => {
      const problems = findInputProblems(checked, task, input);
      openUnless(
        REQUIRED.some((field) => problems.find(field) !== undefined),
        next,
      );
    },
    // Without an answer of agent-manager a user can still choose tools; nothing is written before an answer.
    onError: (_error, next) => openUnless(false, next),
  });
  return {
    open: (next) => {
      if (step === 'Details') check.mutate(next);
      else onStep(next);
    },
    attempts,
    isWaiting: check.isPending,
  };
};

/** Returns what the present step of the wizard needs and does not have yet, for screen readers; `undefined` when it has everything. */
export const useStepLoading = ({
  step,
  declared,
  validation,
}: Pick<WizardState, 'step' | 'declared' | 'validation'>): string | undefined => {
  const isToolsPending = [
    usePresets().isPending,
    useCatalog().isPending,
    useAgents().isPending,
  ].includes(true);
  const { state } = useResolution(declared.access === 'toolset' ? declared.toolset : []);
  const { verdict, error } = validation;
  const isUnchecked = verdict === undefined && error === undefined;
  if (step === 'Tools' && isToolsPending) return 'Loading the catalog';
  return step === 'Review' && (isUnchecked || state === 'loading')
    ? 'Checking the agent'
    : undefined;
};

/** Keeps the toolset of a draft in the address of the page, also after the user has gone back to an earlier entry of the history. */
export const useToolsetInAddress = (
  search: WizardSearch,
  toolset: readonly string[] | undefined,
  replace: (search: WizardSearch) => void,
): void => {
  const { toolset: _, ...others } = search;
  const isMirrored = JSON.stringify(search.toolset) === JSON.stringify(toolset);
  useEffect(() => {
    if (!isMirrored)
      replace({ ...others, ...(toolset !== undefined && { toolset: [...toolset] }) });
  });
};
