import type { Requirements } from '@gateway/repo-checks';

/** What of the specification this package answers for. */
export const requirements = {
  '2.1/forms': 'Each selector matches ^(preset|server|workflow|tool):[^\\s,]+$.',
  '2.1/exact-names': 'Names are exact and case-sensitive.',
  '2.1/max-inline': 'At most 32 selectors inline.',
  '2.1/reserved-toolset': 'toolset:<name> is reserved for shared toolsets.',
  '2.1/label-in-presets': 'label:<key>=<value> is allowed inside presets only.',
  '3/no-state': 'The header is read on every request; nothing is bound to the session.',
  '3/not-sticky': 'A refused toolset does not affect the next one.',
  '3/absence-alone-unscopes': 'Only a request without the header is unscoped.',
  '4.1/comma-separated': 'The header is a comma-separated list of inline selectors.',
  '4.1/trimmed': 'Whitespace around each selector is trimmed.',
  '7.1/never-partial': 'A refused toolset never degrades to the selectors that did parse.',
  '7.1/names-toolset-and-selector': 'Each refusal names the toolset and the selector.',
  '7.1/empty': 'An empty header or an empty list is refused, pointing at preset:none.',
  '7.1/reserved': 'toolset:<name> is refused as reserved for shared toolsets.',
  '7.1/label': 'label:<key>=<value> is refused as allowed inside presets only.',
  '7.1/malformed': 'Any other selector is refused as malformed, with the four forms.',
  '7.1/too-many': 'More than 32 selectors are refused with their actual count.',
  '8/inline-selectors': 'Inline selectors: at most 32.',
} as const satisfies Requirements;
