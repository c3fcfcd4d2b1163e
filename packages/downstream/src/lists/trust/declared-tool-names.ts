import { exposedName } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import { parseLedger } from './ledger-text.ts';

/**
 * Returns the exposed names of the tools that a stored text of tool declarations has for these servers, without calculated exceptions
 * such as a family that is served per server.
 *
 * @spec §1.4
 */
export const declaredToolNames = (
  text: string,
  servers: readonly McpServer[],
): readonly string[] => {
  const prefixes = new Map(
    servers.map(({ metadata: { name }, spec }) => [
      name,
      spec.family?.name ?? spec.toolPrefix ?? name,
    ]),
  );
  return (parseLedger(text) ?? []).flatMap(([server, tools]) => {
    const prefix = prefixes.get(server);
    return prefix === undefined ? [] : tools.map(([tool]) => exposedName(prefix, tool));
  });
};
