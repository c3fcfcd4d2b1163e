import { placeholderWarnings, type McpServer } from '@gateway/crd-schemas';

/** The most warnings that are remembered. */
const MAX_WARNINGS = 1_024;

/** Finds texts that look like placeholders and are none, and reports each once. */
export class BareNames {
  readonly #reported = new Set<string>();

  /** Returns a warning for each new text of a server. */
  warningsOf({ metadata: { name: server }, spec }: McpServer): readonly string[] {
    return placeholderWarnings(spec).filter((warning) => {
      const id = JSON.stringify([server, warning]);
      if (this.#reported.has(id) || this.#reported.size >= MAX_WARNINGS) return false;
      this.#reported.add(id);
      return true;
    });
  }
}
