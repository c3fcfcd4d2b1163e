import { isServedName } from './checked-names.ts';
import { exposedName } from './exposed-name.ts';
import type { ServerInventory } from './server-inventory.ts';

/** The fields of an `MCPServer` that decide the exposed names of its tools. */
export type ServerNaming = Pick<ServerInventory, 'name' | 'toolPrefix' | 'family'>;

/** The exposed names of a server's tools and prompts, whether it may use them or not. */
export interface ServerNames {
  /** Equal for definitions that give the same tool the same names. */
  readonly naming: string;
  /** The server's own names of its tools, each once. */
  readonly tools: readonly string[];
  /** The exposed names of `tools` when the server serves them on its own; by index. */
  readonly own: readonly string[];
  /** The exposed names of `tools` when the family serves them; by index, empty without a family. */
  readonly shared: readonly string[];
  /** The exposed names of the prompts. */
  readonly prompts: readonly string[];
}

/** Returns the prefix of the exposed names of what a server serves on its own. @spec §1.4, §2.6 */
export const prefixOf = ({ name, toolPrefix = '' }: ServerNaming): string =>
  toolPrefix === '' ? name : toolPrefix;

/** Returns a text that differs whenever two definitions of a server give its tools different exposed names. */
export const namingOf = (server: ServerNaming): string => {
  const prefix = prefixOf(server);
  return `${prefix.length} ${prefix} ${server.family === undefined ? '' : `=${server.family.name}`}`;
};

const namesByInventory = new WeakMap<ServerInventory, ServerNames>();

/** Returns the exposed names of a connected server; the same object for the same inventory. */
export function serverNames(inventory: ServerInventory): ServerNames {
  const known = namesByInventory.get(inventory);
  if (known !== undefined) return known;
  const { family } = inventory;
  const prefix = prefixOf(inventory);
  const isServed = (tool: string): boolean => isServedName(exposedName(prefix, tool));
  const tools = [...new Set(inventory.tools.map(({ name }) => name))].filter(isServed);
  const names: ServerNames = {
    naming: namingOf(inventory),
    tools,
    own: tools.map((tool) => exposedName(prefix, tool)),
    shared: family === undefined ? [] : tools.map((tool) => exposedName(family.name, tool)),
    prompts: [...new Set(inventory.prompts.map(({ name }) => exposedName(prefix, name)))],
  };
  namesByInventory.set(inventory, names);
  return names;
}
