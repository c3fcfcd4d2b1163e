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
  /** The next step opens in a moment. */
  readonly isWaiting: boolean;
  /** Discards the draft; absent where there is none. */
  readonly onDiscard?: () => void;
  /** The button in place of the next step, on the last one. */
  readonly children: ReactNode;
}

/** The buttons that open the steps before and after. */
export const StepBar = (props: StepBarProps): ReactNode => {
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
