import type { GuardedFetch } from '@gateway/guarded-fetch';
import { type StateStore, StateStoreError } from '@gateway/state-store';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRefusal, type PortalRefusal } from '../answers.ts';
import { createForwarder } from '../forward/forward-request.ts';
import { createPortalRequestChecks, createRequestTokens } from '../own-requests.ts';
import { requestTarget, routeRequest } from '../routes/route-request.ts';
import type { PortalContext } from '../routes/service-routes.ts';
import type { PortalSettings } from '../settings.ts';
import { createPortalCookies } from '../user/cookies.ts';
import { createCurrentSession } from '../user/current-session.ts';
import { IdentityProvider, ProviderError } from '../user/identity-provider.ts';
import { createSessions } from '../user/sessions.ts';
import {
  createUserId,
  openAccess,
  RunningRequests,
  createSignedInAccess,
} from '../user/user-access.ts';
import { openAssetFiles, openIndexPage } from '../web-files.ts';

/** Lines with one sentence that are written in a minute. */
const MAX_LINES = 10;
const WINDOW_MS = 60_000;
/** Sentences that are counted at the same time. */
const MAX_SENTENCES = 100;

interface Window {
  readonly since: number;
  readonly lines: number;
}

/**
 * Returns a function that writes each sentence 10 times a minute at most, so that requests of strangers cannot fill the log. The last line
 * says that further ones are left out.
 */
export const createFailureWriter = (
  write: (sentence: string) => void,
  now: () => number,
): ((sentence: string) => void) => {
  const windows = new Map<string, Window>();
  return (sentence) => {
    const time = now();
    const known = windows.get(sentence);
    const window =
      known === undefined || time - known.since >= WINDOW_MS ? { since: time, lines: 0 } : known;
    if (known === undefined && windows.size >= MAX_SENTENCES) windows.clear();
    const lines = window.lines + 1;
    windows.set(sentence, { ...window, lines });
    if (lines < MAX_LINES) write(sentence);
    else if (lines === MAX_LINES) write(`${sentence}; further ones are not logged for a minute`);
  };
};

/** The parts of {@link createPortal}. */
interface PortalParts {
  readonly settings: PortalSettings;
  readonly store: StateStore;
  /** Reaches the provider. */
  readonly fetch: GuardedFetch;
  readonly now: () => number;
  /** Called with a sentence about a failure, without values of a request. */
  readonly onFailure: (sentence: string) => void;
}

/** The backend of the portal. */
export interface Portal {
  /** Answers a request below the path of the public URL. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => Promise<void>;
}

interface SignInContext extends Pick<PortalContext, 'access' | 'signIn' | 'running'> {
  readonly close: () => void;
}

const createSignIn = (parts: PortalParts): SignInContext => {
  const { settings, store, now, fetch, onFailure } = parts;
  const { publicUrl, signIn, key } = settings;
  const running = new RunningRequests();
  if (signIn === undefined) return { access: openAccess, running, close: () => undefined };
  const cookies = createPortalCookies({ publicUrl, key, now });
  const redirectUri = new URL('auth/callback', publicUrl);
  const provider = new IdentityProvider({ settings: signIn, redirectUri, fetch, now });
  const sessions = createSessions(store);
  const userId = createUserId(key, signIn.issuer);
  const accessBy = (read: typeof sessions.read) => createSignedInAccess(cookies.session, read);
  const storedAccess = accessBy(sessions.read);
  return {
    access: accessBy(createCurrentSession({ sessions, provider, now })),
    signIn: { publicUrl, provider, sessions, cookies, userId, storedAccess, onFailure },
    running,
    close: sessions.onEnd((digest) => running.end(digest)),
  };
};

const toRefusal = (error: unknown): PortalRefusal => {
  if (error instanceof StateStoreError) return 'store-unavailable';
  return error instanceof ProviderError ? 'provider-unavailable' : 'failed';
};

const formatFailure = (error: unknown): string =>
  error instanceof StateStoreError || error instanceof ProviderError
    ? error.message
    : 'a request failed';

const createHandler =
  (context: PortalContext, onFailure: PortalParts['onFailure']): Portal['handle'] =>
  (request, response) => {
    const { path, query } = requestTarget(request.url);
    const prefix = context.settings.publicUrl.pathname;
    if (context.own.isForeign(request)) answerRefusal(response, 'foreign-host');
    // The page has relative addresses, which need the slash at the end of the prefix.
    else if (`${path}/` === prefix) response.writeHead(308, { location: prefix }).end();
    else if (!path.startsWith(prefix)) answerRefusal(response, 'not-found');
    else
      routeRequest(context, { request, response, path: path.slice(prefix.length), query }).catch(
        (error: unknown) => {
          onFailure(formatFailure(error));
          answerRefusal(response, toRefusal(error));
        },
      );
  };

/** Creates the backend. Rejects when the web application is not built. */
export const createPortal = async (parts: PortalParts): Promise<Portal> => {
  const { settings, now } = parts;
  const onFailure = createFailureWriter(parts.onFailure, now);
  const { publicUrl, webRoot, key, allowedHosts } = settings;
  const forwarder = createForwarder();
  const { close, ...signIn } = createSignIn({ ...parts, onFailure });
  const context: PortalContext = {
    settings,
    forwarder,
    own: createPortalRequestChecks(publicUrl, allowedHosts),
    tokens: createRequestTokens(key),
    indexPage: await openIndexPage(webRoot, publicUrl.pathname),
    assets: await openAssetFiles(webRoot),
    ...signIn,
  };
  return {
    handle: createHandler(context, onFailure),
    close: () => {
      close();
      return forwarder.close();
    },
  };
};
