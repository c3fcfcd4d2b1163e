import { formatToolset } from './format-toolset.ts';
import { MAX_INLINE_SELECTORS } from './limits.ts';
import { quoteText } from './quoted.ts';

/**
 * The reason why a toolset is refused. `toolset` is the trimmed list as given, with duplicates.
 *
 * @spec §7.1
 */
export type ToolsetError =
  | { readonly code: 'toolset.empty' }
  | { readonly code: 'toolset.too-many'; readonly toolset: readonly string[] }
  | {
      readonly code: 'toolset.reserved';
      readonly toolset: readonly string[];
      readonly selector: string;
    }
  | {
      readonly code: 'toolset.label';
      readonly toolset: readonly string[];
      readonly selector: string;
    }
  | {
      readonly code: 'toolset.malformed';
      readonly toolset: readonly string[];
      readonly selector: string;
    };

const formatSelectorError = (
  error: { readonly toolset: readonly string[]; readonly selector: string },
  reason: string,
): string =>
  `toolset ${formatToolset(error.toolset)} selector ${quoteText(error.selector)} ${reason}`;

/**
 * Returns the refusal as one sentence. It repeats the whole toolset and the selector at full length:
 * callers limit the size of a toolset from outside first.
 *
 * @spec §7.1
 */
export const formatError = (error: ToolsetError): string => {
  switch (error.code) {
    case 'toolset.empty':
      return 'toolset [] is empty; use "preset:none" for an agent without tools';
    case 'toolset.too-many':
      return `toolset ${formatToolset(error.toolset)} has ${error.toolset.length} selectors, more than the ${MAX_INLINE_SELECTORS} allowed inline; define a preset`;
    case 'toolset.reserved':
      return formatSelectorError(error, 'is reserved for shared toolsets');
    case 'toolset.label':
      return formatSelectorError(error, 'is allowed inside presets only');
    case 'toolset.malformed':
      return formatSelectorError(
        error,
        'is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
      );
  }
};
