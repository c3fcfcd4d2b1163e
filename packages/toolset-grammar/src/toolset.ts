import type { Selector } from './selector.ts';
import type { ToolsetError } from './toolset-error.ts';

/** A parsed toolset: one to 32 selectors in the order given, duplicates kept. @spec §2.1 */
export interface Toolset {
  readonly selectors: readonly Selector[];
  /** The toolset as texts and logs print it: `[a,b]`. @spec §7.1 */
  readonly text: string;
}

/** The outcome of parsing a toolset. A refusal is a value. @spec §7.1 */
export type ParsedToolset =
  | { readonly ok: true; readonly toolset: Toolset }
  | { readonly ok: false; readonly error: ToolsetError };
