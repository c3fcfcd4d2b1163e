import type { McpServer } from '@gateway/crd-schemas';
import type { DeclaredTools } from './trust/declared-tools.ts';
import { computeDigests } from './digest-ahead.ts';
import { mergedLists, sameItems } from './merged-lists.ts';
import type { ServerLists } from './server-lists.ts';

type Tools = ServerLists['tools'];

/** The lists of a connected server, and the part of them that the catalog receives: hints that are not accepted yet are excluded. */
export class ExposedLists {
  readonly #server: Pick<McpServer['metadata'], 'name' | 'namespace'>;
  readonly #declared: DeclaredTools;
  #listed: ServerLists;
  #exposed: ServerLists;

  /** @param lists the lists of the server; digest their tools first, because the review of undigested tools blocks the event loop */
  constructor(server: McpServer['metadata'], declared: DeclaredTools, lists: ServerLists) {
    this.#server = server;
    this.#declared = declared;
    this.#listed = lists;
    this.#exposed = lists;
    this.#expose(declared.review(server, lists.tools));
  }

  /** The exposed lists. The same arrays and entries while they are unchanged. */
  get lists(): ServerLists {
    return this.#exposed;
  }

  /**
   * Replaces the lists that were read again. Works in slices.
   *
   * @param isLive returns whether the connection of these lists still exists; if not, nothing is replaced
   * @returns whether the lists changed
   */
  async update(lists: Partial<ServerLists>, isLive: () => boolean): Promise<boolean> {
    const merged = await mergedLists(this.#listed, { ...this.#listed, ...lists });
    if (merged === this.#listed) return false;
    await computeDigests(merged.tools);
    if (!isLive()) return false;
    this.#listed = merged;
    this.#expose(this.#declared.review(this.#server, merged.tools));
    return true;
  }

  /** Applies newly accepted hints. */
  refresh(): void {
    this.#expose(this.#declared.asAccepted(this.#server.name, this.#listed.tools));
  }

  #expose(tools: Tools): void {
    const known = this.#exposed.tools;
    this.#exposed = { ...this.#listed, tools: sameItems(known, tools) ? known : tools };
  }
}
