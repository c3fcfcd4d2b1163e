import { useSyncExternalStore } from 'react';

let shown: string | undefined;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows a sentence about what a person has done above the page, until the next page opens; none for `undefined`. */
export const showNotice = (text: string | undefined): void => {
  shown = text;
  for (const listener of listeners) listener();
};

/** Returns the sentence that is shown. */
export const useNotice = (): string | undefined => useSyncExternalStore(subscribe, () => shown);
