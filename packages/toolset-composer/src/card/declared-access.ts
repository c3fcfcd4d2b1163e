import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import { fieldOf, listOf, textOf } from '../answers/json-fields.ts';

/** The access that an agent declares. @spec §2.8 */
export type DeclaredAccess =
  | { readonly access: 'none' }
  /** A gateway tool without the header: everything, without having said so. */
  | { readonly access: 'implicit-full' }
  | { readonly access: 'toolset'; readonly toolset: readonly string[] };

const HEADER = TOOLSET_HEADER.toLowerCase();

const headerOf = (tool: unknown): string | undefined => {
  const header = listOf(fieldOf(tool, 'headersFrom')).find(
    (entry) => textOf(fieldOf(entry, 'name'))?.toLowerCase() === HEADER,
  );
  return header === undefined ? undefined : (textOf(fieldOf(header, 'value')) ?? '');
};

const selectorsOf = (header: string): readonly string[] =>
  header
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/**
 * Returns the access that the `Agent` resource of the agent runtime declares for a gateway. The name of the header counts in any case.
 *
 * @param agent the resource, as JSON
 * @param gateway the name in `mcpServer.name` of the gateway's entries
 * @spec §2.8
 */
export const accessOfResource = (agent: unknown, gateway: string): DeclaredAccess => {
  const tools = listOf(fieldOf(fieldOf(fieldOf(agent, 'spec'), 'declarative'), 'tools'));
  const entries = tools.filter((tool) => fieldOf(fieldOf(tool, 'mcpServer'), 'name') === gateway);
  if (entries.length === 0) return { access: 'none' };
  const headers = entries.flatMap((entry) => headerOf(entry) ?? []);
  if (headers.length < entries.length) return { access: 'implicit-full' };
  return { access: 'toolset', toolset: headers.flatMap(selectorsOf) };
};

/** Returns the access of an agent as agent-manager reports it. @spec §4.4 */
export const accessOfAgent = (agent: {
  readonly toolset?: readonly string[] | undefined;
  readonly implicitFullAccess?: true | undefined;
}): DeclaredAccess => {
  if (agent.implicitFullAccess === true) return { access: 'implicit-full' };
  return agent.toolset === undefined
    ? { access: 'none' }
    : { access: 'toolset', toolset: agent.toolset };
};
