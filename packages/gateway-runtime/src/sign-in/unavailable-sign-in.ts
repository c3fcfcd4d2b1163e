import type { SignInPort, SignInState } from '@gateway/core-tools';
import type { Downstream } from '@gateway/downstream';

/** Returns the sign-in of a gateway that has no client of authorization servers: servers in state `Auth Required` stay so. */
export const unavailableSignIn = (downstream: Pick<Downstream, 'servers'>): SignInPort => ({
  stateOf: (name): SignInState | undefined => {
    const view = downstream.servers().find((server) => server.name === name);
    if (view?.state !== 'Auth Required') return undefined;
    return { server: name, status: 'auth_required', isAutomatic: false };
  },
  login: () =>
    Promise.resolve({
      kind: 'not-configured',
      remedy: 'Credentials that everybody shares can stand in spec.headers of the MCPServer.',
    }),
  logout: () => Promise.resolve({ kind: 'not-signed-in' }),
  completed: () => Promise.resolve(false),
});
