import { formatToolset } from './format-toolset.ts';
import { MAX_INLINE_SELECTORS } from './limits.ts';
import { parseSelector } from './selector.ts';
import type { Result } from './result.ts';
import type { Selector } from './selector.ts';
import type { ToolsetError } from './toolset-error.ts';
import { trimBlanks } from './trim-blanks.ts';

/** A parsed toolset: one to {@link MAX_INLINE_SELECTORS} selectors in the given order, with duplicates. @spec §2.1 */
export interface Toolset {
  readonly selectors: readonly Selector[];
  /** The toolset as texts and logs print it: `[a,b]`. @spec §7.1 */
  readonly text: string;
}

/** The outcome of parsing a toolset. A refusal is a value. @spec §7.1 */
export type ParsedToolset = Result<Toolset, ToolsetError>;

/**
 * Parses a toolset that is declared as a list. Never throws. A refused list has no partial result.
 * Checks in this order: no items, more than {@link MAX_INLINE_SELECTORS} items (including duplicates and malformed items), the first
 * item that is not a selector. The resolver checks the existence of presets.
 *
 * @spec §2.1, §7.1
 */
export const parseToolset = (items: readonly string[]): ParsedToolset => {
  if (items.length === 0) return { ok: false, error: { code: 'toolset.empty' } };
  const toolset = items.map(trimBlanks);
  if (toolset.length > MAX_INLINE_SELECTORS)
    return { ok: false, error: { code: 'toolset.too-many', toolset } };
  const selectors: Selector[] = [];
  for (const item of toolset) {
    const parsed = parseSelector(item);
    if (!parsed.ok) return { ok: false, error: { ...parsed.error, toolset } };
    selectors.push(parsed.value);
  }
  return { ok: true, value: { selectors, text: formatToolset(toolset) } };
};
