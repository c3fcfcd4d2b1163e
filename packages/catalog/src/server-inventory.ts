import type { JsonObject } from '@gateway/call-contract';
import type { ToolAnnotations } from './catalog-tool.ts';

/** The common part of the entries of a server's lists. */
export interface ServerEntry {
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
