import { readOwnField, toTexts } from '@gateway/call-contract';
import { type ListedTool, readTools } from './catalog-tool.ts';

/** The state of a call of `filter_tools` with the composed toolset. */
export type ResolutionCall =
  | { readonly kind: 'idle' }
  | { readonly kind: 'pending' }
  /** There is no gateway to ask. */
  | { readonly kind: 'no-gateway' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'answered'; readonly answer: unknown };

/** The resolution of a toolset for the user who composes it. @spec §4.3 */
export type ResolutionState =
  | { readonly state: 'idle' | 'loading' | 'unavailable' | 'unsupported' }
  | { readonly state: 'unknown-preset' | 'error'; readonly message: string }
  | ResolvedTools;

/** A resolved toolset: a page of its tools, and what does not resolve. */
export interface ResolvedTools {
  readonly state: 'resolved';
  readonly tools: readonly ListedTool[];
  /** The number of all tools, also of those that are not on the page. */
  readonly total: number;
  /** The selectors that select nothing for this user. */
  readonly unmatched: readonly string[];
  /** The selectors that select tools after a sign-in. */
  readonly requiringAuth: readonly string[];
}

const UNKNOWN_PRESET = /unknown preset/iu;

const parseResolved = (answer: unknown): ResolvedTools => {
  const tools = readTools(answer);
  const total = readOwnField(answer, 'total');
  return {
    state: 'resolved',
    tools,
    total: typeof total === 'number' ? Math.max(total, tools.length) : tools.length,
    unmatched: toTexts(readOwnField(answer, 'toolset_unmatched')),
    requiringAuth: toTexts(readOwnField(answer, 'toolset_requiring_auth')),
  };
};

/**
 * Returns the resolution of a call. An answer without the list `toolset` is from a gateway that ignored the argument; it is the whole
 * catalog and never a resolution.
 *
 * @spec §4.3, §7.1
 */
export const parseResolution = (call: ResolutionCall): ResolutionState => {
  switch (call.kind) {
    case 'idle':
      return { state: 'idle' };
    case 'pending':
      return { state: 'loading' };
    case 'no-gateway':
      return { state: 'unavailable' };
    case 'failed':
      return {
        state: UNKNOWN_PRESET.test(call.message) ? 'unknown-preset' : 'error',
        message: call.message,
      };
    case 'answered':
      return Array.isArray(readOwnField(call.answer, 'toolset'))
        ? parseResolved(call.answer)
        : { state: 'unsupported' };
  }
};

/** Introduces the selectors that select nothing for the user. */
export const UNMATCHED_TEXT = 'Some selectors match nothing for you';

/** Returns the heading of a resolved list. */
export const formatResolvesTo = (total: number): string => `Resolves to, for you (${total})`;

const formatResolved = ({ tools, total }: ResolvedTools): string | undefined => {
  if (total === 0) return 'This toolset resolves to no tools for you right now.';
  return tools.length < total
    ? `The first ${tools.length} of ${total} tools are shown.`
    : undefined;
};

/** Returns the sentence about a resolution; `undefined` for a complete list of tools, and before a toolset is chosen. */
export const formatResolution = (resolution: ResolutionState): string | undefined => {
  switch (resolution.state) {
    case 'idle':
      return undefined;
    case 'loading':
      return 'Resolving the toolset…';
    case 'unavailable':
      return 'The gateway is not available, so the toolset cannot be resolved here.';
    case 'unsupported':
      return "This installation's gateway does not evaluate toolsets yet";
    case 'unknown-preset':
    case 'error':
      return resolution.message;
    case 'resolved':
      return formatResolved(resolution);
  }
};
