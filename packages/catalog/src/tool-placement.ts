import type { CatalogTool } from './catalog-tool.ts';
import { ownerOf, ownerText, type CatalogWarning } from './catalog-warning.ts';

/** Maximum number of collision warnings per owner whose tools are dropped. */
const MAX_COLLISIONS = 100;

/** Gives tools their places in the catalog, in the order in which they come. */
export class ToolPlacement {
  readonly tools: CatalogTool[] = [];
  readonly byName = new Map<string, CatalogTool>();
  readonly collisions: CatalogWarning[] = [];
  /** By the text of the owner whose tools are dropped. */
  readonly #collisionCounts = new Map<string, number>();

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
    const holder = this.byName.get(tool.name);
    if (holder !== undefined) {
      this.#collide(holder, tool);
      return tool;
    }
    const position = this.tools.length;
    const now = tool.position === position ? tool : { ...tool, position };
    this.tools.push(now);
    this.byName.set(now.name, now);
    return now;
  }

  #collide(holder: CatalogTool, tool: CatalogTool): void {
    const [served, dropped] = [ownerOf(holder), ownerOf(tool)];
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
