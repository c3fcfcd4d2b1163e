import { type JsonObject, isText, toObject, toText, toTexts } from '@gateway/call-contract';
import {
  keepPreviousData,
  type QueryKey,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useBackend } from '../backend/backend.ts';
import { callCoreTool, callForResult, callMetaTool } from '../mcp/meta-tools.ts';
import { showFailure, showNotice } from '../display/notices.tsx';
import { CATALOG_KEY } from './catalog.ts';

/** A call of a core tool that answers with a sentence. */
export interface CoreCommand {
  readonly tool: `core_${string}`;
  readonly args: JsonObject;
}

/** Sends commands to the gateway and reads the catalog again after each. The result is the sentence of the gateway. */
export const useCoreCommand = (): UseMutationResult<string, Error, CoreCommand> => {
  const { gateway } = useBackend();
  const queries = useQueryClient();
  const mutation: UseMutationResult<string, Error, CoreCommand> = useMutation({
    mutationFn: async ({ tool, args }: CoreCommand) => {
      const { message } = await callCoreTool(gateway, tool, args);
      return toText(message);
    },
    onSuccess: showNotice,
    onError: (error, command) => showFailure(error.message, () => mutation.mutate(command)),
    onSettled: () => queries.invalidateQueries({ queryKey: [CATALOG_KEY] }),
  });
  return mutation;
};

/** The problems of one definition; none for a valid one. */
type DefinitionProblems = readonly string[];

/** Returns the problems that a result of a check names. */
const readProblems = ({ isError, structuredContent }: JsonObject): DefinitionProblems => {
  if (isError !== true) return [];
  const facts = toObject(structuredContent);
  const problems = toTexts(facts['problems']);
  const { error } = facts;
  return problems.length > 0 ? problems : [isText(error) ? error : 'The definition is not valid.'];
};

/**
 * Checks definitions by the rules of the gateway, one after the other. Returns the problems in the order of the definitions;
 * `undefined` until they are known.
 *
 * @param definitions arguments of the tool that checks them
 */
export const useDefinitionChecks = (
  definitions: readonly JsonObject[],
  tool: CoreCommand['tool'] = 'core_mcpserver_validate',
): readonly DefinitionProblems[] | undefined => {
  const { gateway } = useBackend();
  const { data } = useQuery({
    queryKey: ['definition-checks', tool, definitions],
    enabled: definitions.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const problems: DefinitionProblems[] = [];
      for (const definition of definitions) {
        const call = { name: tool, arguments: definition };
        problems.push(readProblems(await callForResult(gateway, 'call_tool', call, { signal })));
      }
      return problems;
    },
  });
  return data?.length === definitions.length ? data : undefined;
};

/** A read of an answer of a core tool or meta-tool. */
interface ToolRead<T> {
  readonly key: QueryKey;
  readonly tool: string;
  readonly args?: JsonObject;
  readonly parse: (answer: JsonObject) => T;
}

/** How an answer is kept and read again. */
export type ReadOptions<T> = Pick<
  UseQueryOptions<T>,
  'gcTime' | 'placeholderData' | 'refetchInterval' | 'staleTime'
>;

/** Reads an answer of a core tool, through `call_tool`, or of a meta-tool. */
export const useToolAnswer = <T>(
  { key, tool, args = {}, parse }: ToolRead<T>,
  options: ReadOptions<T> = {},
): UseQueryResult<T> => {
  const { gateway } = useBackend();
  const call = tool.startsWith('core_') ? callCoreTool : callMetaTool;
  return useQuery<T>({
    ...options,
    queryKey: key,
    queryFn: async ({ signal }) => parse(await call(gateway, tool, args, { signal })),
  });
};
