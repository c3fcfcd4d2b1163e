import type { McpServer } from '@gateway/crd-schemas';
import type { DeclaredTools } from './trust/declared-tools.ts';
import { computeDigests } from './digest-ahead.ts';
import { mergedLists, sameItems } from './merged-lists.ts';
import type { ServerLists } from './server-lists.ts';

type Tools = ServerLists['tools'];

/** What a connected server lists, and what of it is offered: hints that wait to be accepted are not. */
export class ExposedLists {
  readonly #server: Pick<McpServer['metadata'], 'name' | 'namespace'>;
  readonly #declared: DeclaredTools;
  #listed: ServerLists;
  #exposed: ServerLists;

  /** @param lists take long to review unless their tools are digested */
  constructor(server: McpServer['metadata'], declared: DeclaredTools, lists: ServerLists) {
    this.#server = server;
    this.#declared = declared;
    this.#listed = lists;
    this.#exposed = lists;
    this.#expose(declared.review(server, lists.tools));
  }

  /** What is offered; the same arrays and entries while nothing of them changed. */
  get lists(): ServerLists {
    return this.#exposed;
  }

  /**
   * The server was asked again. Works in slices.
   *
   * @param isLive whether the connection that listed this is still there; without it nothing is taken
   * @returns whether the server lists something else now
   */
  async update(lists: ServerLists, isLive: () => boolean): Promise<boolean> {
    const merged = await mergedLists(this.#listed, lists);
    if (merged === this.#listed) return false;
    await computeDigests(merged.tools);
    if (!isLive()) return false;
    this.#listed = merged;
    this.#expose(this.#declared.review(this.#server, merged.tools));
    return true;
  }

  /** Something was accepted. */
  refresh(): void {
    this.#expose(this.#declared.asAccepted(this.#server.name, this.#listed.tools));
  }

  #expose(tools: Tools): void {
    const known = this.#exposed.tools;
    this.#exposed = { ...this.#listed, tools: sameItems(known, tools) ? known : tools };
  }
}
