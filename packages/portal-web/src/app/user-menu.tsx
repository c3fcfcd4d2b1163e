import { Alert, Button, Dialog, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useBackend } from '../backend/backend.ts';
import { endSession, signInUrl } from '../backend/session.ts';

/**
 * Returns the function that signs the person out and shows another page. It resolves with whether it succeeded.
 *
 * The page reads nothing meanwhile: a request that arrives after the end of the session would be refused.
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

const Failure = ({ onClose }: { readonly onClose: () => void }): ReactNode => (
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
  const end = async (): Promise<void> => {
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
          <Menu.Item onClick={() => void end()}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {hasFailed && <Failure onClose={() => setFailed(false)} />}
    </>
  );
};

/** The person who is signed in, with the offer to sign out; or the offer to sign in. */
export const UserMenu = (): ReactNode => {
  const { session } = useBackend();
  if (!session.signInRequired) return null;
  if (session.person === undefined)
    return (
      <Button component="a" href={signInUrl(location.href)} size="xs">
        Sign in
      </Button>
    );
  return <SignedIn name={session.person.name} />;
};
