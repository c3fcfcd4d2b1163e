import type { Requirements } from '@gateway/repo-checks';

/** What of the specification this package answers for. */
export const requirements = {
  '2.7/on-failure-runs':
    'onFailure runs sequentially, best effort, when the workflow fails on a step that does not allow failure.',
  '2.7/on-failure-tolerates': 'onFailure sub-steps tolerate their own failures.',
  '2.7/step-args-templates':
    'Values of step arguments support templating, whatever their JSON type.',
  '2.7/condition-gates': 'A condition decides whether its step runs.',
  '2.7/for-each-runs': 'forEach runs its sub-steps once per item of the list.',
  '2.7/parallel-runs': 'The sub-steps of parallel run concurrently.',
  '2.7/parallel-frozen-state':
    'Each parallel sub-step resolves its arguments from the state before the group started.',
  '2.7/parallel-siblings': 'Parallel siblings cannot reference each other.',
  '2.7/store-visibility': 'store affects visibility only.',
  '2.7/allow-failure': 'With allowFailure the workflow continues to the next step on error.',
  '2.7/for-each-items': 'forEach.items is a template that resolves to an array.',
  '2.7/for-each-item': 'Inside a loop the current item is {{ .vars.<as> }}.',
  '2.7/for-each-index': 'Inside a loop the index is {{ .vars.<as>_index }}.',
  '2.7/for-each-iteration-result':
    'A sub-step’s result of one iteration is {{ .results.<id>_<index> }}.',
  '2.7/for-each-last-result': 'Plain {{ .results.<id> }} holds the last iteration’s result.',
  '2.7/condition-template': 'With a template condition the step runs only when it renders to true.',
  '2.7/condition-template-alone': 'When template is set, expect and expectNot are ignored.',
  '2.7/condition-tool': 'A tool condition runs its tool with its args for the check.',
  '2.7/condition-from-step': 'A fromStep condition checks the result of the step with that id.',
  '2.7/results-referenceable':
    'Every step result is referenceable by later steps as {{ .results.<id>.<field> }}.',
  '2.7/template-input': '{{ .input.<arg> }} is a workflow argument.',
  '2.7/template-results': '{{ .results.<id>.<field> }} is a field of an earlier step’s result.',
  '2.7/template-vars': '{{ .vars.<name> }} is a loop variable inside forEach.',
  '2.7/template-context': '{{ .context.<x> }} is an execution context value.',
  '2.7/template-missing-key':
    'A reference to a missing key fails the step instead of rendering empty.',
  '7.6/workflow-missing-key': 'A missing template key fails the step.',
  '9.3/results-referenceable': 'Every step result is always referenceable.',
  '9.3/store-deprecated': 'store is deprecated in favour of output.',
  '2.7/exposed-tool': 'A workflow is exposed to agents as the tool workflow_<name>.',
  '2.7/argument-required': 'A required argument that is omitted is refused.',
  '2.7/argument-default': 'An argument’s default is used when the argument is omitted.',
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
  '9.3/shared-navigator': 'jsonPath and templates share one path navigator.',
  '9.3/output-types': 'The output template preserves types.',
} as const satisfies Requirements;
