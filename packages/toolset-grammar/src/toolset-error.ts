/**
 * Why a toolset is refused. `toolset` is the trimmed list as given, duplicates kept.
 *
 * @spec §7.1
 */
export type ToolsetError =
  | { readonly code: 'toolset.empty' }
  | { readonly code: 'toolset.too-many'; readonly toolset: readonly string[] }
  | { readonly code: 'toolset.reserved'; readonly toolset: readonly string[]; readonly selector: string }
  | { readonly code: 'toolset.label'; readonly toolset: readonly string[]; readonly selector: string }
  | { readonly code: 'toolset.malformed'; readonly toolset: readonly string[]; readonly selector: string };
