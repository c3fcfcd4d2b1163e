/** Maximum number of different words of one server that are read in one build of an index: in names, and in other texts. */
const MAX_SERVER_WORDS = 6_000;

/** The different words that may still be read; others are left out, at the cost of one look-up each. */
export class WordBudget {
  readonly #known = new Set<string>();

  /** Returns whether a word is read: it was read before, or there is room for it. */
  takes(word: string): boolean {
    if (this.#known.has(word)) return true;
    if (this.#known.size >= MAX_SERVER_WORDS) return false;
    this.#known.add(word);
    return true;
  }
}

/** The budgets of one server. Texts do not use up that of names. */
export interface ServerBudgets {
  readonly names: WordBudget;
  readonly texts: WordBudget;
}

/** Returns the budgets of servers in one build. Tools without a server have no limit: the gateway and its operators define them. */
export function budgetsByServer(): (server: string | undefined) => ServerBudgets | undefined {
  const servers = new Map<string, ServerBudgets>();
  return (server) => {
    if (server === undefined) return undefined;
    const known = servers.get(server);
    if (known !== undefined) return known;
    const budgets = { names: new WordBudget(), texts: new WordBudget() };
    servers.set(server, budgets);
    return budgets;
  };
}
