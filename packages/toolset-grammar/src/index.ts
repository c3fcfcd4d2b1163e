export { MAX_INLINE_SELECTORS } from './limits.ts';
export type { Selector, SelectorKind } from './selector.ts';
export type { ToolsetError } from './toolset-error.ts';
export type { ParsedToolset, Toolset } from './toolset.ts';
