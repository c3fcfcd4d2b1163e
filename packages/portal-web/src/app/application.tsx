import { resolvePortalColors, portalTheme } from '@gateway/portal-ui';
import { Alert, Button, Center, MantineProvider, Stack, Text, Title } from '@mantine/core';
import {
  QueryClient,
  QueryClientProvider,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { createPortalRouter } from './router.ts';
import { BackendContext, createBackend } from '../backend/backend.ts';
import {
  followTabs,
  informTabs,
  type PortalSession,
  readSession,
  removeDrafts,
  formatSignInUrl,
} from '../backend/session.ts';
import { LoadingSign } from '../display/loading.tsx';
import { Notices } from '../display/notices.tsx';
import { findCalls } from '../pages/tool/tool-call.ts';

/** The nonce with which styles of components are permitted. Browsers hide it from attributes. */
export const readStyleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

const SESSION_KEY = ['session'];

/** The session of the browser. */
interface SessionQuery {
  readonly session: UseQueryResult<PortalSession>;
  /** Reads the session again. */
  readonly readAgain: () => void;
}

/** Returns a user who is signed in, or an empty text. */
const readUserId = ({ user }: PortalSession): string => user?.id ?? '';

/** A tab that the browser had frozen at a sign-out did not learn of it: its drafts end when the user is found to be gone. */
const useDraftRemoval = (data: PortalSession | undefined): void => {
  const isGone = data?.signInRequired === true && data.user === undefined;
  useEffect(() => {
    if (isGone) removeDrafts();
  }, [isGone]);
};

/** Reads the session again when another tab has another user, and when the browser shows the page as it was before. */
const useOtherTabs = (data: PortalSession | undefined, readAgain: () => void): void => {
  const id = data === undefined ? undefined : readUserId(data);
  useEffect(() => {
    if (id !== undefined) informTabs({ kind: 'user', id });
    return followTabs((message) => {
      if (message.kind === 'signed-out') removeDrafts();
      if (message.kind === 'signed-out' || message.id !== id) readAgain();
    });
  }, [id, readAgain]);
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) readAgain();
    };
    addEventListener('pageshow', show);
    return () => removeEventListener('pageshow', show);
  }, [readAgain]);
};

/** Follows the session: every tab has the user who signed in last in the browser. */
const useSession = (): SessionQuery => {
  const queries = useQueryClient();
  const session = useQuery({
    queryKey: SESSION_KEY,
    queryFn: readSession,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
  const readAgain = useMemo(
    () => () => void queries.invalidateQueries({ queryKey: SESSION_KEY }),
    [queries],
  );
  useOtherTabs(session.data, readAgain);
  useDraftRemoval(session.data);
  return { session, readAgain };
};

/** The parameter of the address after a sign-in that failed. */
const RESULT = 'sign-in';

/** Returns the address of this page without the result of the last sign-in. */
const readPageAddress = (): string => {
  const url = new URL(location.href);
  url.searchParams.delete(RESULT);
  return url.href;
};

/** Asks a user to sign in, and comes back to the same page. */
const SignInPage = (): ReactNode => (
  <Center component="main" mih="100vh" p="md">
    <Stack align="center" gap="sm">
      <Title order={1} size="h3">
        Portal
      </Title>
      {new URLSearchParams(location.search).get(RESULT) === 'failed' && (
        <Alert color="red" role="alert" title="The sign-in failed">
          Try again. The log of the portal has an entry about it.
        </Alert>
      )}
      <Text>Sign in to see your agents and tools.</Text>
      <Button component="a" href={formatSignInUrl(readPageAddress())}>
        Sign in
      </Button>
    </Stack>
  </Center>
);

const STALE_MS = 15_000;
const RECOVERY_MS = 5_000;

const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: false,
        refetchOnWindowFocus: true,
        // A page recovers by itself when a service is back.
        refetchInterval: ({ state }) => (state.status === 'error' ? RECOVERY_MS : false),
      },
    },
  });

/** The answers of the services belong to a user; the session to the browser. */
const sessionQueries = createQueries();

const Pages = ({
  session,
  readAgain,
}: {
  readonly session: PortalSession;
  readonly readAgain: () => void;
}): ReactNode => {
  const [queries] = useState(createQueries);
  const router = useMemo(() => createPortalRouter(new URL(document.baseURI).pathname), []);
  const backend = useMemo(() => createBackend(session, readAgain), [session, readAgain]);
  useEffect(() => () => findCalls(backend.gateway).cancelAll(), [backend]);
  return (
    <QueryClientProvider client={queries}>
      <BackendContext value={backend}>
        <Notices />
        <RouterProvider router={router} />
      </BackendContext>
    </QueryClientProvider>
  );
};

const SessionGate = (): ReactNode => {
  const { session, readAgain } = useSession();
  if (session.isPending)
    return (
      <Center mih="100vh">
        <LoadingSign />
      </Center>
    );
  if (session.isError)
    return (
      <Alert color="red" role="alert" m="md">
        {session.error.message}
      </Alert>
    );
  const { signInRequired, user } = session.data;
  if (signInRequired && user === undefined) return <SignInPage />;
  // Nothing of a user stays for the next one.
  return <Pages key={readUserId(session.data)} session={session.data} readAgain={readAgain} />;
};

/** The portal. */
export const Application = (): ReactNode => (
  <MantineProvider
    theme={portalTheme}
    cssVariablesResolver={resolvePortalColors}
    defaultColorScheme="auto"
    getStyleNonce={readStyleNonce}
  >
    <QueryClientProvider client={sessionQueries}>
      <SessionGate />
    </QueryClientProvider>
  </MantineProvider>
);
