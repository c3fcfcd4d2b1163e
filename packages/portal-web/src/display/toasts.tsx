import '@mantine/notifications/styles.css';
import { Button, Group } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

let count = 0;

/** Says in a corner of the window what has been done. It is no promise that everything works now, and so has no colour of success. */
export const showNotice = (text: string): void => {
  notifications.show({
    message: <bdi>{text}</bdi>,
    color: 'gray',
    role: 'status',
    style: { overflowWrap: 'anywhere' },
    closeButtonProps: { 'aria-label': 'Close the notice' },
  });
};

/** Says that something failed, until the user closes it, and offers to try again. */
export const showFailure = (text: string, retry?: () => void): void => {
  count += 1;
  const id = `failure ${count}`;
  const tryAgain = (): void => {
    notifications.hide(id);
    retry?.();
  };
  notifications.show({
    id,
    color: 'red',
    autoClose: false,
    role: 'alert',
    style: { overflowWrap: 'anywhere' },
    closeButtonProps: { 'aria-label': 'Close the notice' },
    message: (
      <Group gap="xs" justify="space-between">
        <bdi>{text}</bdi>
        {retry !== undefined && (
          <Button size="compact-xs" variant="default" onClick={tryAgain}>
            Try again
          </Button>
        )}
      </Group>
    ),
  });
};

/** The notices of a user are not for the next one. */
export const removeNotices = (): void => notifications.clean();

/** The corner of the window in which notices are. */
export const Toasts = (): ReactNode => <Notifications position="bottom-right" limit={4} />;
