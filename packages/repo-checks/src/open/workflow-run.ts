import { openFor } from '../open-requirement.ts';

/** How a workflow runs. */
export const workflowRunRequirements = openFor('workflow-engine', {
  '2.7/template-functions':
    'Step arguments and templates use a common library of template functions.',
  '2.7/template-input': '{{ .input.<arg> }} is a workflow argument.',
  '2.7/template-results': '{{ .results.<id>.<field> }} is a field of an earlier step’s result.',
  '2.7/template-vars': '{{ .vars.<name> }} is a loop variable inside forEach.',
  '2.7/template-context': '{{ .context.<x> }} is an execution context value.',
});
