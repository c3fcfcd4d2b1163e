/** Why a workflow is not run at all. Such a call leaves no record. */
export type WorkflowRefusal =
  | { readonly code: 'workflow.unknown'; readonly name: string }
  /** Some tool that its steps need is not there for the caller. */
  | { readonly code: 'workflow.unavailable'; readonly name: string };

/** The refusal as one sentence for the caller. */
export const workflowRefusalText = (refusal: WorkflowRefusal): string => {
  switch (refusal.code) {
    case 'workflow.unknown':
      return `workflow ${refusal.name} not found`;
    case 'workflow.unavailable':
      return `workflow ${refusal.name} is not available (missing required tools)`;
  }
};
