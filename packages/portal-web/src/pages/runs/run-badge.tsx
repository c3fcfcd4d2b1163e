import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RunEntry, RunStep } from './run-facts.ts';

/** The state of a run or of a step. */
export type ShownStatus = RunEntry['status'] | RunStep['status'];

const LOOKS: Readonly<Record<ShownStatus, readonly [text: string, color: string]>> = {
  inprogress: ['Running', 'blue'],
  completed: ['Completed', 'teal'],
  failed: ['Failed', 'red'],
  skipped: ['Skipped', 'gray'],
};

/** Returns the colour of a state. */
export const colorOfStatus = (status: ShownStatus): string => LOOKS[status][1];

/** The state of a run or of a step in words. */
export const RunBadge = ({ status }: { readonly status: ShownStatus }): ReactNode => {
  const [text, color] = LOOKS[status];
  return (
    <Badge variant="light" color={color} tt="none" style={{ flexShrink: 0 }}>
      {text}
    </Badge>
  );
};
