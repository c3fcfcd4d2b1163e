import type { JsonObject } from '@gateway/call-contract';
import type { ToolAnnotations } from './annotations.ts';

/** Kind of a tool. @spec §1.3 */
export type ToolKind = 'tool' | 'workflow' | 'core';

/** A server that provides a tool, and the tool's name there. */
export interface ToolProvider {
  readonly server: string;
  readonly serverTool: string;
}

/** One tool of the catalog under its exposed name. Immutable. @spec §1.4, §2.4 */
export interface CatalogTool {
  /** The exposed name. */
  readonly name: string;
  readonly kind: ToolKind;
  /** The index in the catalog's stable order. */
  readonly position: number;
  /** The owning server, or the family's name for a family tool; absent for workflows and core tools. */
  readonly server?: string;
  readonly title?: string;
  readonly description: string;
  /** The first line of the description, cut to 120 code points and `...` when longer. */
  readonly summary: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** `metadata.labels` of a workflow. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The servers behind the tool, by name; several only for a family tool, none for workflows and core tools. */
  readonly providers: readonly ToolProvider[];
  /** The required argument that selects the instance; set exactly for family tools. @spec §2.6 */
  readonly instanceArg?: string;
  /** The exposed names of the tools without which a workflow cannot run, when they are known. @spec §2.7 */
  readonly requiredTools?: readonly string[];
  /**
   * The complete entry of the server's list, under the server's own name; for a family tool the fields that are equal for all
   * members, with the description and the schema of the family. Absent for workflows and core tools.
   */
  readonly listed?: JsonObject;
}

/** One of the gateway's own tools, as the catalog takes it. @spec §1.3 */
export interface CoreToolEntry {
  readonly name: `core_${string}`;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: ToolAnnotations;
}

/** A workflow's execution tool, as the catalog takes it; `name` is the workflow's own. @spec §2.7 */
export interface WorkflowToolEntry {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Declared hints. With `referencedTools` the read-only hint is derived instead. */
  readonly annotations?: ToolAnnotations;
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Exposed names of all tools of steps, conditions, sub-steps and handlers. Without them nothing is derived.
   *
   * @spec §2.5
   */
  readonly referencedTools?: readonly string[];
  /** The exposed names without those of conditions: what must be there to run. Without them nothing is missing. */
  readonly requiredTools?: readonly string[];
}
