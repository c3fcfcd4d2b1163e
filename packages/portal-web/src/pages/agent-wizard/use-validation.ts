import type { AgentManagerClient, ValidateResult } from '@gateway/agent-manager-client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { answeredValue } from '../../queries/answered-value.ts';
import { useAgentManager } from '../../queries/use-agent-manager.ts';

/** The arguments of a dry run. */
export type Draft = Parameters<AgentManagerClient['validateAgent']>[0];

/** The verdict of agent-manager on a draft. */
export interface CheckedDraft {
  readonly checked: Draft;
  readonly verdict: ValidateResult;
}

/** The last dry run of a draft. Without `verdict` there was none yet, or agent-manager did not give one. */
export interface Validation extends Partial<CheckedDraft> {
  /** The reason why there is no verdict. */
  readonly error?: string;
  /** The verdict, or the reason, is about the draft as it is now. */
  readonly isCurrent: boolean;
  /** Checks the draft as it is now, without a pause. Rejects with the sentence of agent-manager. */
  readonly check: () => Promise<CheckedDraft>;
}

const PAUSE_MS = 400;

const dryRun = (agentManager: AgentManagerClient, checked: Draft) =>
  queryOptions({
    queryKey: ['validation', JSON.stringify(checked)],
    queryFn: async ({ signal }): Promise<CheckedDraft> => ({
      checked,
      verdict: answeredValue(await agentManager.validateAgent(checked, { signal })),
    }),
  });

/** Checks a draft with agent-manager after a pause, without a change. */
export const useValidation = (draft: Draft): Validation => {
  const agentManager = useAgentManager();
  const queries = useQueryClient();
  const text = JSON.stringify(draft);
  const [debounced] = useDebouncedValue({ text, draft }, PAUSE_MS);
  const current = dryRun(agentManager, draft);
  const isKnown = queries.getQueryData(current.queryKey) !== undefined;
  const { data, error, isPlaceholderData, isPending } = useQuery({
    ...(isKnown ? current : dryRun(agentManager, debounced.draft)),
    placeholderData: keepPreviousData,
  });
  const isSettled = !isPlaceholderData && !isPending;
  return {
    ...(error === null ? data : { error: error.message }),
    isCurrent: isSettled && (isKnown || debounced.text === text),
    check: () => queries.query(current),
  };
};
