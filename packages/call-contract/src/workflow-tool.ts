/** The prefix of the name of a workflow's execution tool, `workflow_<name>`. */
export const WORKFLOW_TOOL_PREFIX = 'workflow_';
