import {
  declaredToolset,
  EMPTY_COMPOSITION,
  selectorProblems,
  sizeProblem,
  startFrom,
  wizardSteps,
  type Composition,
  type DeclaredAccess,
  type WizardStep,
} from '@gateway/toolset-composer';
import type { WizardSearch } from '../../addresses/wizard-search.ts';
import { agentChanges, type AgentChange } from './agent-changes.ts';
import { TEXT_FIELDS } from './agent-form.ts';
import { fieldProblems, type FieldProblems } from './field-problems.ts';
import { useChoices } from './use-choices.ts';
import { useValidation, type CheckedDraft, type Draft, type Validation } from './use-validation.ts';
import type { WizardTask } from './wizard-task.ts';

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
const writtenOf = ({ isEdit, draft: { toolset } }: WizardTask): Composition | undefined => {
  if (toolset !== undefined) return startFrom(toolset);
  return isEdit ? undefined : EMPTY_COMPOSITION;
};

const accessOf = (
  written: Composition | undefined,
  toolset: readonly string[] | undefined,
): DeclaredAccess => {
  if (written !== undefined) return { access: 'toolset', toolset: declaredToolset(written) };
  return toolset === undefined ? { access: 'implicit-full' } : { access: 'toolset', toolset };
};

/** Returns the changes of an agent that exists. */
const changesOf = (
  { isEdit, draft: { before, form }, declared: toolset }: WizardTask,
  declared: DeclaredAccess,
): Pick<WizardState, 'changes'> => {
  if (!isEdit) return {};
  const former = { form: before, declared: accessOf(undefined, toolset) };
  return { changes: agentChanges(former, { form, declared }) };
};

/** Returns the problems of the arguments, as far as they are those that were checked. */
export const problemsOfInput = (
  { verdict, checked }: Partial<CheckedDraft>,
  { isEdit }: WizardTask,
  input: Draft,
): FieldProblems => {
  const valueOf = (draft: Draft | undefined, field: string): string =>
    JSON.stringify(FIELDS.filter((name) => name === field).map((name) => draft?.[name]));
  return fieldProblems(verdict?.errors ?? [], {
    fields: FIELDS,
    isNew: !isEdit,
    isChecked: (field) => valueOf(checked, field) === valueOf(input, field),
  });
};

/** Derives the state of a wizard from its task and its address, with a dry run of the draft. */
export const useWizardState = (task: WizardTask, search: WizardSearch): WizardState => {
  const { form } = task.draft;
  const { hasSkills, isPending } = useChoices(form.namespace);
  const steps = wizardSteps({ hasSkills });
  const written = writtenOf(task);
  const composition = written ?? startFrom(task.declared ?? []);
  const input = task.argumentsOf(form, written);
  const validation = useValidation(input);
  const declared = accessOf(written, task.declared);
  return {
    isPending,
    steps,
    step: steps.find((step) => step === search.step) ?? 'Details',
    composition,
    declared,
    ...changesOf(task, declared),
    input,
    validation,
    problems: problemsOfInput(validation, task, input),
    isToolsetRefused:
      sizeProblem(composition) !== undefined || selectorProblems(composition).length > 0,
  };
};
