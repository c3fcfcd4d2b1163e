import { Alert } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { showNotice, useNotice } from '../display/notice.ts';

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
