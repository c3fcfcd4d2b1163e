import { fieldOf, listOf, textMapOf, textOf } from '../answers/json-fields.ts';

/** An `MCPServer` as a person chooses from it. */
export interface CatalogServer {
  readonly name: string;
  /** The family that it belongs to. @spec §2.6 */
  readonly family?: string;
  /** `status.state`. @spec §2.6 */
  readonly state?: string;
  readonly labels: ReadonlyMap<string, string>;
}

const AUTH_REQUIRED = 'Auth Required';

const serverOf = (entry: unknown): CatalogServer | undefined => {
  const name = textOf(fieldOf(entry, 'name'));
  if (name === undefined) return undefined;
  const family = textOf(fieldOf(fieldOf(entry, 'family'), 'name'));
  const state = textOf(fieldOf(entry, 'state'));
  return {
    name,
    ...(family !== undefined && { family }),
    ...(state !== undefined && { state }),
    labels: textMapOf(fieldOf(entry, 'labels')),
  };
};

/** Returns the servers of an answer of `core_mcpserver_list`; entries that are no servers are left out. */
export const serversOf = (answer: unknown): readonly CatalogServer[] =>
  listOf(fieldOf(answer, 'mcpServers')).flatMap((entry) => serverOf(entry) ?? []);

/** Returns the names in `servers_requiring_auth` of an answer of `list_tools`. @spec §4.2 */
export const serversRequiringAuth = (answer: unknown): ReadonlySet<string> =>
  new Set(
    listOf(fieldOf(answer, 'servers_requiring_auth')).flatMap(
      (entry) => textOf(fieldOf(entry, 'name')) ?? [],
    ),
  );

/** Returns whether a person has to sign in to a server before its tools are listed. @spec §2.6, §4.2 */
export const needsSignIn = (
  server: CatalogServer,
  facts: { readonly requiringAuth: ReadonlySet<string>; readonly hasTools: boolean },
): boolean =>
  !facts.hasTools && (facts.requiringAuth.has(server.name) || server.state === AUTH_REQUIRED);
