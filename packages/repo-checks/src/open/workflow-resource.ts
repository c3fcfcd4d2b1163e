import { openFor } from '../open-requirement.ts';

/** The `Workflow` resource: fields, limits and validation. */
export const workflowResourceRequirements = [
  ...openFor('resource-store', {
    '1.5/custom-resources':
      'In cluster-orchestrator mode both kinds are authored as custom resources.',

    '2.7/store-warning-reconciler':
      'A workflow using store has a one-line deprecation warning in the reconciler, too.',
  }),
];
