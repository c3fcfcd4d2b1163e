import { MAX_INLINE_SELECTORS, parseSelector, quoted } from '@gateway/toolset-grammar';

// PLACEHOLDER until its owner writes it: see the brief.
export const toolsetProblem = (
  toolset: readonly string[] | undefined,
  { isRequired }: { readonly isRequired: boolean },
): string | undefined => {
  if (toolset === undefined) return isRequired ? 'toolset is required' : undefined;
  if (toolset.length > MAX_INLINE_SELECTORS) return 'toolset has too many selectors';
  const bad = toolset.find((selector) => !parseSelector(selector).ok);
  return bad === undefined ? undefined : `toolset selector ${quoted(bad)}`;
};
