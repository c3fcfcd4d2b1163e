/** The reason that a workflow is not run. Such a call leaves no record. */
export type WorkflowRefusal =
  | { readonly code: 'workflow.unknown'; readonly name: string }
  /** Required tools are not available to the caller; at least one. */
  | {
      readonly code: 'workflow.unavailable';
      readonly name: string;
      readonly missing: readonly string[];
    };

/** The most tools that a text names. */
const MAX_NAMED = 10;

const namesOf = (tools: readonly string[]): string => {
  const named = tools.slice(0, MAX_NAMED).join(', ');
  const others = tools.length - MAX_NAMED;
  return others > 0 ? `${named} and ${others} more` : named;
};

/** Returns the refusal as one sentence for the caller. */
export const workflowRefusalText = (refusal: WorkflowRefusal): string => {
  switch (refusal.code) {
    case 'workflow.unknown':
      return `workflow ${refusal.name} not found`;
    case 'workflow.unavailable':
      return `workflow ${refusal.name} is not available (missing required tools): ${namesOf(refusal.missing)}`;
  }
};
