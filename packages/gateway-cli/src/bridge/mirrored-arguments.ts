import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { mirroredParams, paramHeaders } from '@gateway/downstream';

type Mirrored = ReturnType<typeof mirroredParams>;

/** Maximum number of tools that are remembered. */
const MAX_TOOLS = 50_000;

const EMPTY: JsonObject = {};

/** The arguments that calls of 2026-07-28 repeat in headers, by tool, as far as lists have shown them. MCP 2026-07-28, Streamable HTTP */
export class MirroredArguments {
  readonly #byTool = new Map<string, Mirrored>();

  /** Takes the result of `tools/list`. */
  take({ tools }: JsonObject): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools as readonly unknown[]) if (isJsonObject(tool)) this.#takeTool(tool);
  }

  /** Returns the headers of a call. */
  headersOf({ name, arguments: args }: JsonObject = EMPTY): Readonly<Record<string, string>> {
    const mirrored = typeof name === 'string' ? this.#byTool.get(name) : undefined;
    return mirrored === undefined ? {} : paramHeaders(mirrored, args);
  }

  #takeTool({ name, inputSchema }: JsonObject): void {
    if (typeof name !== 'string') return;
    this.#byTool.delete(name);
    const mirrored = isJsonObject(inputSchema) ? mirroredParams(inputSchema) : [];
    if (mirrored.length > 0 && this.#byTool.size < MAX_TOOLS) this.#byTool.set(name, mirrored);
  }
}
