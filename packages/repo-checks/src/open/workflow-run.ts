import { openFor } from '../open-requirement.ts';

/** How a workflow runs. */
export const workflowRunRequirements = openFor('workflow-engine', {
  '2.7/exposed-tool': 'A workflow is exposed to agents as the tool workflow_<name>.',
  '2.7/argument-required': 'A required argument that is omitted is refused.',
  '2.7/argument-default': 'An argument’s default is used when the argument is omitted.',
  '2.7/store-warning':
    'A workflow using store logs a one-line deprecation warning, on the structured authoring path and in the reconciler.',

  '2.7/condition-expect': 'expect is the positive expectation.',
  '2.7/condition-expect-not': 'expectNot is the negative expectation.',
  '2.7/expectation-success': 'success says whether the tool call should succeed.',
  '2.7/expectation-json-path': 'jsonPath checks values of the result by path.',
  '2.7/json-path-index': 'jsonPath supports array indexing such as items[0].name.',
  '2.7/json-path-template':
    'jsonPath supports a full template form that exposes the result as .result.',
  '2.7/json-path-dotted': 'Plain dotted paths keep working in jsonPath.',

  '2.7/output-flag':
    'The per-step output flag controls only whether the result appears in the returned document.',
  '2.7/output-template':
    'spec.output is rendered once, after all steps complete, against .input, .results and .vars.',
  '2.7/output-replaces': 'spec.output replaces the default response.',
  '2.7/default-response':
    'Without spec.output the default response is returned: execution_id, workflow, status, input, steps, and so on.',
  '2.7/output-bare-reference': 'A bare reference in spec.output keeps its original type.',
  '2.7/output-computed-leaf': 'A computed leaf of spec.output keeps its result type.',
  '2.7/output-mixed-leaf':
    'A leaf of spec.output that mixes literal text with an action renders to a string.',
  '2.7/output-inert-flags':
    'With spec.output declared, the per-step output and store flags no longer affect the returned document.',
  '2.7/output-inert-warning':
    'With spec.output declared, the gateway logs a one-line warning naming the inert flags.',

  '2.7/template-functions':
    'Step arguments and templates use a common library of template functions.',
  '2.7/template-input': '{{ .input.<arg> }} is a workflow argument.',
  '2.7/template-results': '{{ .results.<id>.<field> }} is a field of an earlier step’s result.',
  '2.7/template-vars': '{{ .vars.<name> }} is a loop variable inside forEach.',
  '2.7/template-context': '{{ .context.<x> }} is an execution context value.',

  '9.3/shared-navigator': 'jsonPath and templates share one path navigator.',
  '9.3/output-types': 'The output template preserves types.',
});
