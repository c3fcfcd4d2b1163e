import { Text, Title } from '@mantine/core';
import { stepLabel, TOOLS_HEADING, type WizardStep } from '@gateway/toolset-composer';
import { useEffect, useRef, type ReactNode } from 'react';

const HEADINGS: Readonly<Record<WizardStep, string>> = {
  Details: 'Describe the agent',
  Skills: "Choose the agent's skills",
  Tools: TOOLS_HEADING,
  Review: 'Review the agent',
};

/** The heading of a step. It receives the focus when the step changes, so that a screen reader continues there. */
export const StepHeading = ({
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
      <Text size="sm">{stepLabel(steps, step)}</Text>
      <Title order={2} size="h4" ref={heading} tabIndex={-1}>
        {HEADINGS[step]}
      </Title>
    </div>
  );
};
