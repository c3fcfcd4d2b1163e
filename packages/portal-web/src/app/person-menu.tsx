import { Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBackend } from '../backend/backend-context.ts';
import { signInUrl } from '../backend/session.ts';
import { endSession } from '../backend/end-session.ts';

/** The person who is signed in, with the offer to sign out; or the offer to sign in. */
export const PersonMenu = (): ReactNode => {
  const { session } = useBackend();
  if (!session.signInRequired) return null;
  if (session.person === undefined)
    return (
      <Button component="a" href={signInUrl(location.href)} size="xs">
        Sign in
      </Button>
    );
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" size="xs" maw={200}>
          <bdi>{session.person.name}</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void endSession(session)}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
