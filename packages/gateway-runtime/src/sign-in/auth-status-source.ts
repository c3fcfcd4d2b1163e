import type { Downstream } from '@gateway/downstream';
import { authStatus } from './auth-status.ts';
import type { ServerSignIn } from './server-sign-in.ts';
import type { AuthStatusSource } from './auth-status-resource.ts';

/** Returns the source of the resource `auth://status`. */
export const authStatusSource = ({
  downstream,
  signIn: { auth },
}: {
  readonly downstream: Downstream;
  readonly signIn: Pick<ServerSignIn, 'auth'>;
}): AuthStatusSource => {
  const isUsedNow = (): boolean =>
    downstream.servers().some(({ definition }) => auth.credentials.kindOf(definition) !== 'shared');
  let isUsed: boolean | undefined;
  downstream.onChange((changedFor) => {
    if (changedFor === 'all') isUsed = undefined;
  });
  return {
    isUsed: () => (isUsed ??= isUsedNow()),
    read: (principal) => authStatus(principal, { auth, downstream }),
    reached: (principal) =>
      downstream
        .personal(principal)
        .flatMap(({ server, status, toolsCount }) =>
          status === 'connected' || toolsCount > 0 ? `${server}:${String(toolsCount)}` : [],
        )
        .join(' '),
    onChange: (listener) => downstream.onChange(listener),
  };
};
