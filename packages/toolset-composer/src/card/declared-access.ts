import { readDeclaredToolset, type DeclaredToolset } from '@gateway/agent-manager-client';

/** The access that an agent declares. @spec §2.8 */
export type DeclaredAccess =
  | { readonly access: 'none' }
  /** A gateway tool without the header: everything, without having said so. */
  | { readonly access: 'implicit-full' }
  | { readonly access: 'toolset'; readonly toolset: readonly string[] };

/** Returns the access of an agent as agent-manager reports it. @spec §4.4 */
export const accessOfAgent = (agent: DeclaredToolset): DeclaredAccess => {
  if (agent.implicitFullAccess === true) return { access: 'implicit-full' };
  return agent.toolset === undefined
    ? { access: 'none' }
    : { access: 'toolset', toolset: agent.toolset };
};

/**
 * Returns the access that the `Agent` resource of the agent runtime declares for a gateway.
 *
 * @param agent the resource, as JSON
 * @param gateway the name in `mcpServer.name` of the gateway's entries
 * @spec §2.8
 */
export const accessOfResource = (agent: unknown, gateway: string): DeclaredAccess =>
  accessOfAgent(readDeclaredToolset(agent, gateway));
