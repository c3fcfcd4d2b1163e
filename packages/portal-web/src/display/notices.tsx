import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';

/** The notices are loaded with the first one. */
const load = () => import('./toasts.tsx');

const LazyToasts = lazy(async () => ({ default: (await load()).Toasts }));

let isNeeded = false;
const listeners = new Set<() => void>();

const need = async (): ReturnType<typeof load> => {
  isNeeded = true;
  for (const listener of listeners) listener();
  return load();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Says in a corner of the window what has been done. */
export const showNotice = (text: string): void =>
  void need().then((toasts) => toasts.showNotice(text));

/** Says that something failed, until the user closes it, and offers to try again. */
export const showFailure = (text: string, retry?: () => void): void =>
  void need().then((toasts) => toasts.showFailure(text, retry));

/** The place of the notices of a user, which are not for the next one. */
export const Notices = (): ReactNode => {
  const isShown = useSyncExternalStore(subscribe, () => isNeeded);
  useEffect(
    () => () => {
      if (isNeeded) void load().then(({ removeNotices }) => removeNotices());
    },
    [],
  );
  return <Suspense>{isShown && <LazyToasts />}</Suspense>;
};
