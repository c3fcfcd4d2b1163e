import type { Resolution, ResolvedToolset } from './resolution.ts';

/** Introduces the selectors that select nothing for the person. */
export const UNMATCHED_TEXT = 'Some selectors match nothing for you';

/** Returns the heading of a resolved list. */
export const resolvesToText = (total: number): string => `Resolves to, for you (${total})`;

const resolvedText = ({ tools, total }: ResolvedToolset): string | undefined => {
  if (total === 0) return 'This toolset resolves to no tools for you right now.';
  return tools.length < total
    ? `The first ${tools.length} of ${total} tools are shown.`
    : undefined;
};

/** Returns the sentence about a resolution; `undefined` for a complete list of tools, and before a toolset is chosen. */
export const resolutionText = (resolution: Resolution): string | undefined => {
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
      return resolvedText(resolution);
  }
};
