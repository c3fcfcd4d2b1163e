import type { PageError } from '../pages/sign-in-pages.ts';
import type { PendingLogin } from './pending-login.ts';
import type { SignInContext } from './sign-in-context.ts';

/** Reports a sign-in that failed in the browser. */
export const observeFailure = (
  { observe }: SignInContext,
  { server, principalKey }: PendingLogin,
  failure: PageError,
): void => {
  // The sign-in is known, so it has not expired.
  const problem = failure === 'expired' ? 'failed' : failure;
  observe({ code: 'sign-in-failed', server, principalKey, problem });
};
