import { Alert, Center, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { portalColors, portalTheme } from '@gateway/portal-ui';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { BackendContext } from '../backend/backend-context.ts';
import { createBackend } from '../backend/backend.ts';
import { LoadingSign } from '../display/loading.tsx';
import type { PortalSession } from '../backend/session.ts';
import { callsOf } from '../pages/tool/running-calls.ts';
import { createPortalRouter } from './router.ts';
import { SignInPage } from './sign-in-page.tsx';
import { styleNonce } from './style-nonce.ts';
import { personOf, useSession } from './use-session.ts';

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

/** The answers of the services belong to a person; the session to the browser. */
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
  useEffect(() => () => callsOf(backend.gateway).cancelAll(), [backend]);
  return (
    <QueryClientProvider client={queries}>
      <BackendContext value={backend}>
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
  const { signInRequired, person } = session.data;
  if (signInRequired && person === undefined) return <SignInPage />;
  // Nothing of a person stays for the next one.
  return <Pages key={personOf(session.data)} session={session.data} readAgain={readAgain} />;
};

/** The portal. */
export const Application = (): ReactNode => (
  <MantineProvider
    theme={portalTheme}
    cssVariablesResolver={portalColors}
    defaultColorScheme="auto"
    getStyleNonce={styleNonce}
  >
    <QueryClientProvider client={sessionQueries}>
      <SessionGate />
    </QueryClientProvider>
  </MantineProvider>
);
