import type { ReactNode } from 'react';
import { StateBadge } from '../../display/page-parts.tsx';
import type { RunEntry, RunStep } from './run-facts.ts';

/** The state of a run or of a step. */
type StepOrRunStatus = RunEntry['status'] | RunStep['status'];

/** The states in words, with their colours. */
export const RUN_LOOKS: Readonly<Record<StepOrRunStatus, readonly [text: string, color: string]>> =
  {
    inprogress: ['Running', 'blue'],
    completed: ['Completed', 'teal'],
    failed: ['Failed', 'red'],
    skipped: ['Skipped', 'gray'],
  };

/** Returns the colour of a state. */
export const resolveStatusColor = (status: StepOrRunStatus): string => RUN_LOOKS[status][1];

/** The state of a run or of a step in words. */
export const RunBadge = ({ status }: { readonly status: StepOrRunStatus }): ReactNode => {
  const [text, color] = RUN_LOOKS[status];
  return <StateBadge color={color}>{text}</StateBadge>;
};
