import { useEffect } from 'react';
import type { WizardSearch } from '../../addresses/wizard-search.ts';

/** Keeps the toolset of a draft in the address of the page, also after the person has gone back to an earlier entry of the history. */
export const useMirroredToolset = (
  search: WizardSearch,
  toolset: readonly string[] | undefined,
  replace: (search: WizardSearch) => void,
): void => {
  const { toolset: _, ...others } = search;
  const isMirrored = JSON.stringify(search.toolset) === JSON.stringify(toolset);
  useEffect(() => {
    if (!isMirrored)
      replace({ ...others, ...(toolset !== undefined && { toolset: [...toolset] }) });
  });
};
