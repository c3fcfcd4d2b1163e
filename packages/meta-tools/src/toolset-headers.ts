import { parseToolsetHeader, type ParsedToolset } from '@gateway/toolset-grammar';

/** How many headers are remembered. */
const MAX_HEADERS = 256;

/** The longest header that is remembered, in UTF-16 code units. */
const MAX_HEADER_CHARACTERS = 8_192;

/** Reads toolset headers; one that was read lately is not parsed again. @spec §4.1 */
export class ToolsetHeaders {
  readonly #parsed = new Map<string, ParsedToolset>();

  /** @param lines the values of the header's lines, in order */
  parse(lines: readonly string[]): ParsedToolset {
    const [line] = lines;
    // Agents send one line, again and again; several lines are rare enough to be read each time.
    if (line === undefined || lines.length > 1 || line.length > MAX_HEADER_CHARACTERS)
      return parseToolsetHeader(lines);
    const known = this.#parsed.get(line);
    if (known !== undefined) return known;
    const parsed = parseToolsetHeader(lines);
    const [oldest] = this.#parsed.keys();
    if (this.#parsed.size >= MAX_HEADERS && oldest !== undefined) this.#parsed.delete(oldest);
    this.#parsed.set(line, parsed);
    return parsed;
  }
}
