import { Button, Group } from '@mantine/core';
import type { WizardStep } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';

/** The properties of {@link StepBar}. */
export interface StepBarProps {
  readonly steps: readonly WizardStep[];
  readonly step: WizardStep;
  readonly onStep: (step: WizardStep) => void;
  /** The next step cannot be opened. */
  readonly isBlocked: boolean;
  /** The button in place of the next step, on the last one. */
  readonly children: ReactNode;
}

/** The buttons that open the steps before and after. */
export const StepBar = ({ steps, step, onStep, isBlocked, children }: StepBarProps): ReactNode => {
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
        <Button disabled={isBlocked} onClick={() => onStep(after)}>
          Continue
        </Button>
      )}
    </Group>
  );
};
