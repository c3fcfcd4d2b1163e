import type { CatalogSnapshot } from '@gateway/catalog';
import type { PresetSet } from '@gateway/preset-resolver';
import { parseToolsetHeader, type ParsedToolset } from '@gateway/toolset-grammar';
import type { RequestScope } from '../contract/request-scope.ts';

/** How many headers are remembered, for each snapshot. */
const MAX_HEADERS = 256;

/** The longest header that is remembered, in UTF-16 code units. */
const MAX_HEADER_CHARACTERS = 8_192;

/** The snapshot and the presets that a header is resolved against. */
export interface HeaderGround {
  readonly snapshot: CatalogSnapshot;
  readonly presets: PresetSet;
}

/** A map that forgets its oldest entry when it is full. */
const remember = <T>(map: Map<string, T>, key: string, value: T): void => {
  const [oldest] = map.keys();
  if (map.size >= MAX_HEADERS && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
};

/** The one line of a header; several lines, or a very long one, are rare enough to be read each time. */
const shortLine = (lines: readonly string[]): string | undefined => {
  const [line] = lines;
  return lines.length === 1 && (line?.length ?? 0) <= MAX_HEADER_CHARACTERS ? line : undefined;
};

/** Toolset headers that were read lately: agents send the same one again and again. @spec §4.1 */
export class ToolsetHeaders {
  readonly #parsed = new Map<string, ParsedToolset>();
  readonly #scopes = new WeakMap<
    CatalogSnapshot,
    { readonly presets: PresetSet; readonly byLine: Map<string, RequestScope> }
  >();

  /** @param lines the values of the header's lines, in order */
  parse(lines: readonly string[]): ParsedToolset {
    const line = shortLine(lines);
    if (line === undefined) return parseToolsetHeader(lines);
    const known = this.#parsed.get(line);
    if (known !== undefined) return known;
    const parsed = parseToolsetHeader(lines);
    remember(this.#parsed, line, parsed);
    return parsed;
  }

  /** Returns the selection of the header in this snapshot under these presets. */
  recall(lines: readonly string[], { snapshot, presets }: HeaderGround): RequestScope | undefined {
    const scopes = this.#scopes.get(snapshot);
    const line = shortLine(lines);
    if (line === undefined || scopes?.presets !== presets) return undefined;
    return scopes.byLine.get(line);
  }

  /** Caches the selection of a header; it must depend on the snapshot and the presets alone. */
  keep(lines: readonly string[], basis: HeaderGround, scope: RequestScope): void {
    const { snapshot, presets } = basis;
    const line = shortLine(lines);
    if (line === undefined) return;
    const known = this.#scopes.get(snapshot);
    const scopes = known?.presets === presets ? known : { presets, byLine: new Map() };
    this.#scopes.set(snapshot, scopes);
    remember(scopes.byLine, line, scope);
  }
}
