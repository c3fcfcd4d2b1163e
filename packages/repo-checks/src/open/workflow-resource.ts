import { openFor } from '../open-requirement.ts';

/** Where `Workflow` resources come from. */
export const workflowResourceRequirements = [
  ...openFor('resource-store', {
    '1.5/custom-resources':
      'In cluster-orchestrator mode both kinds are authored as custom resources.',
  }),
];
