import { Alert, Button, Dialog, Menu } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useBackend } from '../backend/backend-context.ts';
import { signInUrl } from '../backend/session.ts';
import { useSignOut } from './use-sign-out.ts';

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
export const PersonMenu = (): ReactNode => {
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
