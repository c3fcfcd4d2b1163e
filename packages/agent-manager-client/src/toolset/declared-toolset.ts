import { readOwnField, toList } from '@gateway/call-contract';
import { TOOLSET_HEADER_KEY } from '@gateway/toolset-grammar';

/** The toolset that an agent declares. Neither field is set for an agent without a gateway tool. @spec §2.8 */
export interface DeclaredToolset {
  readonly toolset?: string[] | undefined;
  /** A gateway tool has no header: the agent can use everything. */
  readonly implicitFullAccess?: true | undefined;
}

const isToolsetHeader = (header: unknown): boolean => {
  const name = readOwnField(header, 'name');
  return typeof name === 'string' && name.toLowerCase() === TOOLSET_HEADER_KEY;
};

const splitSelectors = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : [];

/**
 * Reads the toolset from the gateway tools of an `Agent` resource: the tools of the gateway's server, and all tools with the toolset header.
 * The name of the header is case-insensitive.
 *
 * @param agent the resource, which may have any shape
 * @param gateway the name in `mcpServer.name` of the gateway's tools
 * @spec §2.8
 */
export const readDeclaredToolset = (agent: unknown, gateway: string): DeclaredToolset => {
  const values = toList(
    readOwnField(readOwnField(readOwnField(agent, 'spec'), 'declarative'), 'tools'),
  )
    .map((tool) => ({
      isGateway: readOwnField(readOwnField(tool, 'mcpServer'), 'name') === gateway,
      headers: toList(readOwnField(tool, 'headersFrom')).filter(isToolsetHeader),
    }))
    .filter(({ isGateway, headers }) => isGateway || headers.length > 0)
    .map(({ headers }) => headers.map((header) => readOwnField(header, 'value')));
  if (values.some(({ length }) => length === 0)) return { implicitFullAccess: true };
  const texts = values.flat().filter((value) => typeof value === 'string');
  return texts.length === 0 ? {} : { toolset: texts.flatMap(splitSelectors) };
};
