import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useBackend } from '../backend/backend-context.ts';
import { callCoreTool } from '../mcp/meta-tools.ts';
import type { JsonObject } from '../mcp/mcp-outcome.ts';
import { CATALOG_KEY } from './use-catalog.ts';

/** A call of a core tool that answers with a sentence. */
export interface CoreCommand {
  readonly tool: `core_${string}`;
  readonly args: JsonObject;
}

/** Sends commands to the gateway and reads the catalog again after each. The result is the sentence of the gateway. */
export const useCoreCommand = (): UseMutationResult<string, Error, CoreCommand> => {
  const { gateway } = useBackend();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ tool, args }) => {
      const { message } = await callCoreTool(gateway, tool, args);
      return typeof message === 'string' ? message : '';
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [CATALOG_KEY] }),
  });
};
