import type { AgentManagerClient, ValidateResult } from '@gateway/agent-manager-client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { answeredValue } from '../../queries/answered-value.ts';
import { useAgentManager } from '../../queries/use-agent-manager.ts';

/** The arguments of a dry run. */
export type Draft = Parameters<AgentManagerClient['validateAgent']>[0];

const PAUSE_MS = 400;

/** The last dry run of a draft. */
export interface Validation {
  readonly result: UseQueryResult<ValidateResult>;
  /** The result is that of the draft as it is now. */
  readonly isCurrent: boolean;
}

/** Checks a draft with agent-manager after a pause, without a change. */
export const useValidation = (draft: Draft): Validation => {
  const agentManager = useAgentManager();
  const text = JSON.stringify(draft);
  const [debounced] = useDebouncedValue({ text, draft }, PAUSE_MS);
  const result = useQuery({
    queryKey: ['validation', debounced.text],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      answeredValue(await agentManager.validateAgent(debounced.draft, { signal })),
  });
  return { result, isCurrent: debounced.text === text && !result.isPlaceholderData };
};
