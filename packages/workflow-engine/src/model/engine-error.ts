/** The reason why a workflow is not run. A refused call is not recorded. */
export type WorkflowRefusal =
  | { readonly code: 'workflow.unknown'; readonly name: string }
  /** Required tools are not available to the caller; at least one. */
  | {
      readonly code: 'workflow.unavailable';
      readonly name: string;
      readonly missing: readonly string[];
    };

/** The reason why an execution or a step is not shown. */
export type ExecutionError =
  | { readonly code: 'execution.unknown'; readonly id: string }
  | { readonly code: 'execution.unknown-step'; readonly id: string; readonly step: string };

/** Maximum number of tools in a message. */
const MAX_NAMED = 10;

const listNames = (tools: readonly string[]): string => {
  const named = tools.slice(0, MAX_NAMED).join(', ');
  const others = tools.length - MAX_NAMED;
  return others > 0 ? `${named} and ${others} more` : named;
};

/** Returns the error as one sentence for the caller. */
export const formatError = (error: WorkflowRefusal | ExecutionError): string => {
  switch (error.code) {
    case 'workflow.unknown':
      return `workflow ${error.name} not found`;
    case 'workflow.unavailable':
      return `workflow ${error.name} is not available (missing required tools): ${listNames(error.missing)}`;
    case 'execution.unknown':
      return `Failed to get execution: execution ${error.id} not found`;
    case 'execution.unknown-step':
      return `Failed to get execution: step ${error.step} not found in execution ${error.id}`;
  }
};
