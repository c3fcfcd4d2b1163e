import { Alert } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';

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
const useNotice = (): string | undefined => useSyncExternalStore(subscribe, () => shown);

const clear = (): void => showNotice(undefined);

/**
 * The notice of what the person has just done, above the page to which that has led. The element is part of every page, so that assistive technology
 * reads its changes. WCAG 2.2, 4.1.3
 */
export const NoticeBar = (): ReactNode => {
  const notice = useNotice();
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) clear();
      }),
    [router],
  );
  // The notice of a person is not for the next one.
  useEffect(() => clear, []);
  return (
    <div aria-live="polite">
      {notice !== undefined && (
        <Alert
          color="teal"
          mb="md"
          withCloseButton
          closeButtonLabel="Close the notice"
          onClose={clear}
          style={{ overflowWrap: 'anywhere' }}
          role="group"
          aria-label="Notice"
        >
          <bdi>{notice}</bdi>
        </Alert>
      )}
    </div>
  );
};
