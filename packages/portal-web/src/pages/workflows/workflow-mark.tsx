import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WorkflowState } from '../../addresses/workflow-search.ts';
import { stateOfWorkflow, type WorkflowEntry } from './workflow-facts.ts';

const COLORS: Readonly<Record<WorkflowState, string>> = {
  available: 'teal',
  missing: 'orange',
  invalid: 'red',
};

/** The states of workflows in words. */
export const STATE_LABELS: Readonly<Record<WorkflowState, string>> = {
  available: 'Available',
  missing: 'Lacks tools',
  invalid: 'Not valid',
};

/** The state of a workflow in words. */
export const WorkflowMark = ({ workflow }: { readonly workflow: WorkflowEntry }): ReactNode => {
  const state = stateOfWorkflow(workflow);
  return (
    <Badge variant="light" color={COLORS[state]} tt="none" style={{ flexShrink: 0 }}>
      {STATE_LABELS[state]}
    </Badge>
  );
};
