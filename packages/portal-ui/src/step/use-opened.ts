import { useState } from 'react';

/** Returns the items that are open, and what opens and closes them; all of them are open while a person searches. */
export const useOpened = (
  all: readonly string[],
  isSearch: boolean,
): { readonly value: string[]; readonly onChange: (opened: string[]) => void } => {
  const [opened, setOpened] = useState<string[]>([]);
  const [closed, setClosed] = useState<string[]>([]);
  return isSearch
    ? {
        value: all.filter((item) => !closed.includes(item)),
        onChange: (now) => setClosed(all.filter((item) => !now.includes(item))),
      }
    : { value: opened, onChange: setOpened };
};
