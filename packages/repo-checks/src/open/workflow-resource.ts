import { openFor } from '../open-requirement.ts';

/** The `Workflow` resource: fields, limits and validation. */
export const workflowResourceRequirements = [
  ...openFor('resource-store', {
    '1.5/custom-resources':
      'In cluster-orchestrator mode both kinds are authored as custom resources.',
  }),
];
