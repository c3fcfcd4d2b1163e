import type { CatalogTool } from '../answers/catalog-tool.ts';
import type { CatalogServer } from './catalog-server.ts';

/** One row of the catalog: a server, a family, the core tools, or workflows. */
export interface CatalogRow {
  readonly kind: 'server' | 'family' | 'core' | 'workflows';
  /** The name of the server or family; the prefix of workflows, or an empty text for those without a common prefix. */
  readonly name: string;
  /** The selector of the whole row. Core tools and workflows are selected one at a time. @spec §2.1 */
  readonly selector?: string;
  readonly tools: readonly CatalogTool[];
  /** The names of the servers of the row that a person has to sign in to before their tools are listed. */
  readonly signIn: readonly string[];
  /** The servers of the row: one, or the members of a family. */
  readonly servers: readonly CatalogServer[];
}
