import type { JsonObject } from '@gateway/call-contract';
import type { CatalogTool, ToolAnnotations } from './catalog-tool.ts';
import type { CatalogWarning } from './catalog-warning.ts';

/** The common part of the entries of a server's lists. */
interface ServerEntry {
  /**
   * The complete entry of the server's list, for transports that forward lists. The catalog does not read it;
   * entries that differ only here are different.
   */
  readonly listed?: JsonObject;
}

/** A tool as its server lists it. Values are never mutated by the catalog. */
export interface ServerTool extends ServerEntry {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** The members that the resource of the server set, see {@link CatalogTool.changed}. */
  readonly changed?: readonly string[];
}

export interface ServerResource extends ServerEntry {
  readonly uri: string;
  readonly name?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A resource template (RFC 6570) as its server lists it. */
export interface ServerResourceTemplate extends ServerEntry {
  readonly uriTemplate: string;
  readonly name?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface ServerPrompt extends ServerEntry {
  readonly name: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
}

/**
 * The lists of one connected server and the fields of its `MCPServer` that affect the catalog.
 * An identical object means that nothing changed.
 *
 * @spec §2.6
 */
export interface ServerInventory {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Takes the place of the server's name in exposed names; empty means unset. */
  readonly toolPrefix?: string;
  readonly family?: { readonly name: string; readonly instanceArg: string };
  readonly tools: readonly ServerTool[];
  readonly resources: readonly ServerResource[];
  readonly resourceTemplates: readonly ServerResourceTemplate[];
  readonly prompts: readonly ServerPrompt[];
}

/** A resource under its exposed URI, with the server that owns it. @spec §4.2 */
export interface CatalogResource extends ServerResource {
  readonly server: string;
  /** The URI as the server knows it; the same as `uri` whenever that contains `://`. */
  readonly serverUri: string;
}

export interface CatalogResourceTemplate extends ServerResourceTemplate {
  readonly server: string;
}

export interface CatalogPrompt {
  readonly name: string;
  readonly server: string;
  readonly serverPrompt: string;
  readonly description?: string;
  readonly arguments?: NonNullable<ServerPrompt['arguments']>;
  /** The entry as its server listed it, every field, under the server's own name. */
  readonly listed?: NonNullable<ServerPrompt['listed']>;
}

/**
 * An immutable view of everything that is served, in its stable order, with the indexes that selection and look-up need.
 * A change of a server, a workflow or a label makes a new snapshot; identity means "unchanged".
 *
 * @spec §1.1, §2.4
 */
export interface CatalogSnapshot {
  readonly tools: readonly CatalogTool[];
  readonly resources: readonly CatalogResource[];
  readonly resourceTemplates: readonly CatalogResourceTemplate[];
  readonly prompts: readonly CatalogPrompt[];
  /** The tool of an exact exposed name. */
  tool(name: string): CatalogTool | undefined;
  /** The tools of a server, of a family, or those a family member provides, in catalog order. @spec §2.1 */
  toolsOfServer(name: string): readonly CatalogTool[];
  /** The execution tool of a workflow. @spec §2.1 */
  toolOfWorkflow(name: string): CatalogTool | undefined;
  /** The tools annotated `readOnlyHint: true`, in catalog order. @spec §2.3 */
  readonly readOnlyTools: readonly CatalogTool[];
  /** The gateway's own tools, in catalog order. @spec §1.3 */
  readonly coreTools: readonly CatalogTool[];
  /** `metadata.labels` of every server of this snapshot, by server name. @spec §2.2 */
  readonly serverLabels: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** The resources of a URI, or of an equivalent one; the exact text first, then in catalog order. */
  resourcesOfUri(uri: string): readonly CatalogResource[];
  /** The templates, of the given servers or of all, that a URI or an equivalent one can be an expansion of, or with that text. */
  resourceTemplatesOfUri(
    uri: string,
    servers?: ReadonlySet<string>,
  ): readonly CatalogResourceTemplate[];
  /** The prompt of an exact exposed name. */
  prompt(name: string): CatalogPrompt | undefined;
  /** Conflicts in the input, in catalog order. */
  readonly warnings: readonly CatalogWarning[];
}
