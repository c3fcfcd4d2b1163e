import { WORKFLOW_TOOL_PREFIX } from '@gateway/toolset-composer';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useBackend } from '../../backend/backend-context.ts';
import { callCoreTool, callMetaTool } from '../../mcp/meta-tools.ts';
import { toolDetailOf, type ToolDetail } from '../tool/tool-detail.ts';
import {
  workflowEntriesOf,
  workflowFactsOf,
  type WorkflowEntry,
  type WorkflowFacts,
} from './workflow-facts.ts';

const POLL_MS = 10_000;
const WORKFLOWS_KEY = 'workflows';

/** Reads the workflows, sorted by name, repeatedly: tools come and go. @spec §2.7 */
export const useWorkflows = (): UseQueryResult<readonly WorkflowEntry[]> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [WORKFLOWS_KEY, 'list'],
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) =>
      workflowEntriesOf(await callCoreTool(gateway, 'core_workflow_list', {}, { signal })),
  });
};

/** Reads a workflow with its definition. @spec §2.7 */
export const useWorkflow = (name: string): UseQueryResult<WorkflowFacts> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [WORKFLOWS_KEY, 'one', name],
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) =>
      workflowFactsOf(await callCoreTool(gateway, 'core_workflow_get', { name }, { signal })),
  });
};

/** Reads the tool as which a workflow is exposed: its schema is that of a run's arguments. @spec §2.7 */
export const useWorkflowTool = (name: string): UseQueryResult<ToolDetail> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [WORKFLOWS_KEY, 'tool', name],
    queryFn: async ({ signal }) => {
      const tool = `${WORKFLOW_TOOL_PREFIX}${name}`;
      return toolDetailOf(await callMetaTool(gateway, 'describe_tool', { name: tool }, { signal }));
    },
  });
};
