import type { CatalogTool } from './catalog-tool.ts';
import { ownerOf, ownerText, type CatalogWarning, type NameOwner } from './catalog-warning.ts';
import type { HeldName } from './name-assignment.ts';
import { otherHolder } from './name-contest.ts';

/** Maximum number of collision warnings per owner whose tools are dropped. */
const MAX_COLLISIONS = 100;

/** Gives tools their places in the catalog, in the order in which they come. */
export class ToolPlacement {
  readonly tools: CatalogTool[] = [];
  readonly byName = new Map<string, CatalogTool>();
  readonly collisions: CatalogWarning[] = [];
  /** By the text of the owner whose tools are dropped. */
  readonly #collisionCounts = new Map<string, number>();
  readonly #holders: ReadonlyMap<string, NameOwner>;

  /** @param contested the names that only their holders get */
  constructor(contested: readonly HeldName[] = []) {
    this.#holders = new Map(contested.map(({ name, owner }) => [name, owner]));
  }

  /**
   * Places the tools after those placed so far. A tool that already has its position remains the same object;
   * a tool whose name is taken is not placed.
   *
   * @returns the placed tools in order; the identical list when no tool moved
   */
  place(tools: readonly CatalogTool[]): readonly CatalogTool[] {
    let placed: CatalogTool[] | undefined;
    for (const [index, tool] of tools.entries()) {
      const now = this.placeOne(tool);
      if (now !== tool) placed ??= tools.slice(0, index);
      placed?.push(now);
    }
    return placed ?? tools;
  }

  /** Places one tool; one whose name is taken comes back as it is. */
  placeOne(tool: CatalogTool): CatalogTool {
    const placed = this.byName.get(tool.name);
    const served = placed === undefined ? this.#heldByOther(tool) : ownerOf(placed);
    if (served !== undefined) {
      this.#collide(served, tool);
      return tool;
    }
    const position = this.tools.length;
    const now = tool.position === position ? tool : { ...tool, position };
    this.tools.push(now);
    this.byName.set(now.name, now);
    return now;
  }

  #heldByOther(tool: CatalogTool): NameOwner | undefined {
    if (this.#holders.size === 0) return undefined;
    return otherHolder(this.#holders.get(tool.name), ownerOf(tool));
  }

  #collide(served: NameOwner, tool: CatalogTool): void {
    const dropped = ownerOf(tool);
    const count = (this.#collisionCounts.get(ownerText(dropped)) ?? 0) + 1;
    this.#collisionCounts.set(ownerText(dropped), count);
    if (count > MAX_COLLISIONS) return;
    const servers = tool.providers.map(({ server }) => server);
    this.collisions.push({
      code: 'tool.name-collision',
      ...{ name: tool.name, served, dropped, servers },
    });
  }
}
