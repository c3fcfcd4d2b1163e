import { Alert, Center, Loader, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { portalColors, portalTheme } from '@gateway/portal-ui';
import { useMemo, type ReactNode } from 'react';
import { BackendContext } from '../backend/backend-context.ts';
import { createBackend } from '../backend/backend.ts';
import { readSession, type PortalSession } from '../backend/session.ts';
import { createPortalRouter } from './router.ts';
import { SignInPage } from './sign-in-page.tsx';
import { styleNonce } from './style-nonce.ts';

const STALE_MS = 15_000;
const SESSION_KEY = ['session'];

const RECOVERY_MS = 5_000;

const queryClient = new QueryClient({
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

const Pages = ({ session }: { readonly session: PortalSession }): ReactNode => {
  const queries = useQueryClient();
  const router = useMemo(() => createPortalRouter(new URL(document.baseURI).pathname), []);
  const backend = useMemo(
    () => createBackend(session, () => void queries.invalidateQueries({ queryKey: SESSION_KEY })),
    [session, queries],
  );
  return (
    <BackendContext value={backend}>
      <RouterProvider router={router} />
    </BackendContext>
  );
};

const SessionGate = (): ReactNode => {
  const session = useQuery({ queryKey: SESSION_KEY, queryFn: readSession });
  if (session.isPending)
    return (
      <Center mih="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  if (session.isError)
    return (
      <Alert color="red" role="alert" m="md">
        {session.error.message}
      </Alert>
    );
  const { signInRequired, person } = session.data;
  return signInRequired && person === undefined ? <SignInPage /> : <Pages session={session.data} />;
};

/** The portal. */
export const Application = (): ReactNode => (
  <MantineProvider
    theme={portalTheme}
    cssVariablesResolver={portalColors}
    defaultColorScheme="auto"
    getStyleNonce={styleNonce}
  >
    <QueryClientProvider client={queryClient}>
      <SessionGate />
    </QueryClientProvider>
  </MantineProvider>
);
