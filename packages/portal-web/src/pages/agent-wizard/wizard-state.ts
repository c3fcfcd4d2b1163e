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
import { fieldProblems, type FieldProblems } from './field-problems.ts';
import { TEXT_FIELDS } from './agent-form.ts';
import { useChoices } from './use-choices.ts';
import { useValidation, type Draft, type Validation } from './use-validation.ts';
import type { WizardSearch } from '../../addresses/wizard-search.ts';
import type { WizardTask } from './wizard-task.ts';

/** The wizard as it is now. */
export interface WizardState {
  readonly steps: readonly WizardStep[];
  readonly step: WizardStep;
  /** The toolset as the Tools step shows it. */
  readonly composition: Composition;
  /** The access that the agent declares after the wizard. */
  readonly declared: DeclaredAccess;
  readonly draft: Draft;
  readonly validation: Validation;
  readonly problems: FieldProblems;
  /** The toolset cannot be declared. */
  readonly isToolsetRefused: boolean;
}

const FIELDS = ['name', 'namespace', ...TEXT_FIELDS];

/** The toolset that the wizard writes; `undefined` for one that stays as it is. */
const writtenOf = ({ isEdit }: WizardTask, { toolset }: WizardSearch): Composition | undefined => {
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

/** Derives the state of a wizard from its task and its address, with a dry run of the draft. */
export const useWizardState = (task: WizardTask, search: WizardSearch): WizardState => {
  const { hasSkills } = useChoices(task.form.namespace);
  const steps = wizardSteps({ hasSkills });
  const written = writtenOf(task, search);
  const composition = written ?? startFrom(task.declared ?? []);
  const draft = task.draftOf(task.form, written);
  const validation = useValidation(draft);
  return {
    steps,
    step: steps.find((step) => step === search.step) ?? 'Details',
    composition,
    declared: accessOf(written, task.declared),
    draft,
    validation,
    problems: fieldProblems(validation.result.data?.errors ?? [], FIELDS),
    isToolsetRefused:
      sizeProblem(composition) !== undefined || selectorProblems(composition).length > 0,
  };
};
