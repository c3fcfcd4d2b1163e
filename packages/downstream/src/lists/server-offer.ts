import type { McpServer } from '@gateway/crd-schemas';
import type { DeclaredTools } from '../trust/declared-tools.ts';
import { mergedLists, sameItems } from './merged-lists.ts';
import type { ServerLists } from './server-lists.ts';

type Tools = ServerLists['tools'];

/** What a connected server lists, and what of it is offered: hints that wait to be accepted are not. */
export class ServerOffer {
  readonly #server: Pick<McpServer['metadata'], 'name' | 'namespace'>;
  readonly #declared: DeclaredTools;
  #listed: ServerLists;
  #offered: ServerLists;

  constructor(server: McpServer['metadata'], declared: DeclaredTools, lists: ServerLists) {
    this.#server = server;
    this.#declared = declared;
    this.#listed = lists;
    this.#offered = lists;
    this.#offer(declared.review(server, lists.tools));
  }

  /** What is offered; the same arrays and entries while nothing of them changed. */
  get lists(): ServerLists {
    return this.#offered;
  }

  /** The server was asked again. @returns whether it lists something else now */
  take(lists: ServerLists): boolean {
    const merged = mergedLists(this.#listed, lists);
    if (merged === this.#listed) return false;
    this.#listed = merged;
    this.#offer(this.#declared.review(this.#server, merged.tools));
    return true;
  }

  /** Something was accepted. */
  again(): void {
    this.#offer(this.#declared.asAccepted(this.#server.name, this.#listed.tools));
  }

  #offer(tools: Tools): void {
    const known = this.#offered.tools;
    this.#offered = { ...this.#listed, tools: sameItems(known, tools) ? known : tools };
  }
}
