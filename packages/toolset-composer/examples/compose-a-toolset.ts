import {
  addText,
  choose,
  toDeclaredToolset,
  EMPTY_COMPOSITION,
  formatError,
} from '@gateway/toolset-composer';

/** Returns the toolset of a user who chose the read-only preset and typed a selector, or the problem of the text. */
export const compose = (typed: string): readonly string[] | string => {
  const chosen = choose(EMPTY_COMPOSITION, 'preset:read-only');
  const added = addText(chosen, typed);
  return added.ok ? toDeclaredToolset(added.value) : formatError(added.error);
};

compose(' workflow:incident-triage '); // ['preset:read-only', 'workflow:incident-triage']
compose('toolset:x'); // "toolset:x" is reserved for shared toolsets, which do not exist yet.
