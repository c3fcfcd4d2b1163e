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
  '2.7/template-missing-key':
    'A reference to a missing key fails the step instead of rendering empty.',
  '7.6/workflow-missing-key': 'A missing template key fails the step.',
  '9.3/results-referenceable': 'Every step result is always referenceable.',
  '9.3/store-deprecated': 'store is deprecated in favour of output.',
} as const satisfies Requirements;
