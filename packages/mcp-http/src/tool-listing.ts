import type { McpService, ServiceTool } from './mcp-service.ts';
import { stampModernResult, type Era } from './protocol-results.ts';

interface Snapshot {
  readonly tools: readonly ServiceTool[];
  readonly names: ReadonlySet<string>;
  readonly json: Readonly<Record<Era, string>>;
}

/** The answer to `tools/list`, serialised once for as long as the service keeps its array of tools. */
export class ToolListing {
  readonly #service: McpService;
  #snapshot: Snapshot;

  constructor(service: McpService) {
    this.#service = service;
    this.#snapshot = snapshotOf(service);
  }

  /** The result of `tools/list` as JSON. */
  json(era: Era): string {
    return this.#current().json[era];
  }

  /** Whether the service has a tool of this name. */
  has(name: string): boolean {
    return this.#current().names.has(name);
  }

  #current(): Snapshot {
    if (this.#snapshot.tools !== this.#service.tools) this.#snapshot = snapshotOf(this.#service);
    return this.#snapshot;
  }
}

const snapshotOf = (service: McpService): Snapshot => {
  const { tools } = service;
  const result = { tools };
  return {
    tools,
    names: new Set(tools.map(({ name }) => name)),
    json: {
      legacy: JSON.stringify(result),
      modern: JSON.stringify(stampModernResult(service, result, { isListing: true })),
    },
  };
};
