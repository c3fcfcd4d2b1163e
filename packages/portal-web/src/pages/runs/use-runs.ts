import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { RunsSearch } from '../../addresses/workflow-search.ts';
import { useBackend } from '../../backend/backend-context.ts';
import { callCoreTool } from '../../mcp/meta-tools.ts';
import { runOf, runPageOf, type Run, type RunPage } from './run-facts.ts';

/** The number of runs on a page. */
export const RUNS_PER_PAGE = 25;

const POLL_MS = 10_000;
const RUNNING_POLL_MS = 2_000;

const RUNS_KEY = 'runs';

/** Reads a page of runs, newest first. The gateway announces no runs, so they are read repeatedly. @spec §2.7 */
export const useRuns = ({ workflow, status, page = 1 }: RunsSearch): UseQueryResult<RunPage> => {
  const { gateway } = useBackend();
  const query = {
    ...(workflow !== undefined && { workflow_name: workflow }),
    ...(status !== undefined && { status }),
    limit: RUNS_PER_PAGE,
    offset: (page - 1) * RUNS_PER_PAGE,
  };
  return useQuery({
    queryKey: [RUNS_KEY, 'list', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      runPageOf(await callCoreTool(gateway, 'core_workflow_execution_list', query, { signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.runs.some(({ status: one }) => one === 'inprogress') === true
        ? RUNNING_POLL_MS
        : POLL_MS,
  });
};

/** Reads a run, repeatedly until it has ended. @spec §2.7 */
export const useRun = (id: string): UseQueryResult<Run> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [RUNS_KEY, 'one', id],
    queryFn: async ({ signal }) => {
      const args = { execution_id: id };
      return runOf(await callCoreTool(gateway, 'core_workflow_execution_get', args, { signal }));
    },
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.status === 'inprogress' ? RUNNING_POLL_MS : false,
  });
};
