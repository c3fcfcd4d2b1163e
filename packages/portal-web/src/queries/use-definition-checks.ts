import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useBackend } from '../backend/backend-context.ts';
import { callForResult } from '../mcp/meta-tools.ts';
import { isJsonObject, type JsonObject } from '../mcp/mcp-outcome.ts';

/** The problems of one definition; none for a valid one. */
export type DefinitionProblems = readonly string[];

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the problems that a result of `core_mcpserver_validate` names. */
const problemsOf = ({ isError, structuredContent }: JsonObject): DefinitionProblems => {
  if (isError !== true) return [];
  const facts = isJsonObject(structuredContent) ? structuredContent : {};
  const problems = Array.isArray(facts['problems']) ? facts['problems'].filter(isText) : [];
  const { error } = facts;
  return problems.length > 0 ? problems : [isText(error) ? error : 'The definition is not valid.'];
};

/**
 * Checks definitions by the rules of the gateway, one after the other. Returns the problems in the order of the definitions;
 * `undefined` until they are known.
 *
 * @param definitions arguments of `core_mcpserver_validate`
 */
export const useDefinitionChecks = (
  definitions: readonly JsonObject[],
): readonly DefinitionProblems[] | undefined => {
  const { gateway } = useBackend();
  const { data } = useQuery({
    queryKey: ['definition-checks', definitions],
    enabled: definitions.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const problems: DefinitionProblems[] = [];
      for (const definition of definitions) {
        const call = { name: 'core_mcpserver_validate', arguments: definition };
        problems.push(problemsOf(await callForResult(gateway, 'call_tool', call, { signal })));
      }
      return problems;
    },
  });
  return data?.length === definitions.length ? data : undefined;
};
