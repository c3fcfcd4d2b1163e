import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** The answer to a request to sign in to a server. */
export interface SignInStart {
  /** A sentence for the user. */
  readonly message: string;
  /** The page of the provider on which the user continues. */
  readonly url?: string;
}

/** Starts the sign-in to a server. Rejects with an error whose message is shown. */
export type StartSignIn = (server: string) => Promise<SignInStart>;

/** Returns whether an address opens a page of the web, and runs no script. */
export const isWebAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  return ['http:', 'https:'].includes(new URL(address).protocol);
};

/** The properties of {@link SignInOffers}. */
export interface SignInOffersProps {
  /** The names of the servers that the user has to sign in to. */
  readonly servers: readonly string[];
  readonly onSignIn: StartSignIn;
}

type Progress =
  | { readonly state: 'offered' | 'starting' }
  | { readonly state: 'started'; readonly start: SignInStart }
  | { readonly state: 'failed'; readonly message: string };

const Continuation = ({ message, url }: SignInStart): ReactNode =>
  url !== undefined && isWebAddress(url) ? (
    <>
      <Button component="a" href={url} target="_blank" rel="noopener noreferrer" size="xs">
        Continue on the page of the provider
      </Button>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        It opens <bdi>{new URL(url).host}</bdi>.
      </Text>
    </>
  ) : (
    <Text size="sm">{message}</Text>
  );

/** The progress of one sign-in, and what starts it. */
const useSignIn = (
  server: string,
  onSignIn: StartSignIn,
): { readonly progress: Progress; readonly start: () => Promise<void> } => {
  const [progress, setProgress] = useState<Progress>({ state: 'offered' });
  const start = async (): Promise<void> => {
    setProgress({ state: 'starting' });
    try {
      setProgress({ state: 'started', start: await onSignIn(server) });
    } catch (error) {
      setProgress({ state: 'failed', message: error instanceof Error ? error.message : '' });
    }
  };
  return { progress, start };
};

const Offer = ({
  server,
  onSignIn,
}: {
  readonly server: string;
  readonly onSignIn: StartSignIn;
}): ReactNode => {
  const { progress, start } = useSignIn(server, onSignIn);
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{server}</bdi> needs a sign-in
        </Text>
        {progress.state === 'started' ? (
          <Continuation {...progress.start} />
        ) : (
          <Button
            size="xs"
            variant="default"
            aria-label={`Sign in to ${server}`}
            loading={progress.state === 'starting'}
            onClick={() => void start()}
          >
            Sign in
          </Button>
        )}
      </Group>
      {progress.state === 'failed' && (
        <Alert color="red" role="alert">
          {progress.message}
        </Alert>
      )}
    </Stack>
  );
};

/** Offers of sign-in to servers whose tools are listed afterwards; nothing without such servers. */
export const SignInOffers = ({ servers, onSignIn }: SignInOffersProps): ReactNode =>
  servers.length === 0 ? null : (
    <Stack gap="xs" role="group" aria-label="Sign in to servers">
      {servers.map((server) => (
        <Offer key={server} server={server} onSignIn={onSignIn} />
      ))}
    </Stack>
  );
