import type { WizardStep } from '@gateway/toolset-composer';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { problemsOfInput, type WizardState } from './wizard-state.ts';
import type { WizardTask } from './wizard-task.ts';

const REQUIRED = ['name', 'modelConfig'] as const;

/** The way to the next step. */
export interface StepChange {
  readonly open: (step: WizardStep) => void;
  /** How often the person has asked for a step that the fields did not permit. */
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
      const problems = problemsOfInput(checked, task, input);
      openUnless(
        REQUIRED.some((field) => problems.of(field) !== undefined),
        next,
      );
    },
    // Without an answer of agent-manager a person can still choose tools; nothing is written before an answer.
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
