import { Alert, Button, Dialog, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useBackend } from '../backend/backend.ts';
import { endSession, formatSignInUrl } from '../backend/session.ts';

/**
 * Returns a function that signs the user out and leaves the page. It resolves to `true` on success.
 *
 * Requests are paused meanwhile, because the service refuses requests after the end of the session.
 */
const useSignOut = (): (() => Promise<boolean>) => {
  const { session, holdRequests } = useBackend();
  const queries = useQueryClient();
  return async () => {
    const release = holdRequests();
    await queries.cancelQueries();
    const hasEnded = await endSession(session);
    if (hasEnded) return true;
    release();
    void queries.invalidateQueries();
    return false;
  };
};

const SignOutFailure = ({ onClose }: { readonly onClose: () => void }): ReactNode => (
  <Dialog opened p={0} onClose={onClose} aria-label="Sign-out">
    <Alert
      color="red"
      role="alert"
      title="The sign-out failed"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      You are still signed in. Try again.
    </Alert>
  </Dialog>
);

const SignedIn = ({ name }: { readonly name: string }): ReactNode => {
  const signOut = useSignOut();
  const [hasFailed, setFailed] = useState(false);
  const handleSignOut = async (): Promise<void> => {
    setFailed(false);
    setFailed(!(await signOut()));
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" size="xs" maw={200}>
            <bdi>{name}</bdi>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void handleSignOut()}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {hasFailed && <SignOutFailure onClose={() => setFailed(false)} />}
    </>
  );
};

/** A menu with the name of the signed-in user, or a sign-in link. */
export const UserMenu = (): ReactNode => {
  const { session } = useBackend();
  if (!session.signInRequired) return null;
  if (session.user === undefined)
    return (
      <Button component="a" href={formatSignInUrl(location.href)} size="xs">
        Sign in
      </Button>
    );
  return <SignedIn name={session.user.name} />;
};
