import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import { StateStoreError, type StateStore } from '@gateway/state-store';
import { answerRefusal } from './answers/json-answer.ts';
import { openAssetFiles } from './assets/asset-files.ts';
import { openIndexPage } from './assets/index-page.ts';
import { createForwarder } from './forward/forward-request.ts';
import { createRequestTokens } from './guard/request-token.ts';
import { createCurrentSession } from './person/current-session.ts';
import { IdentityProvider } from './person/identity-provider.ts';
import { openAccess, signedInAccess } from './person/person-access.ts';
import { createSessionCookie } from './person/session-cookie.ts';
import { createSessions } from './person/sessions.ts';
import type { PortalContext } from './routes/portal-context.ts';
import { routeRequest } from './routes/route-request.ts';
import type { PortalSettings } from './settings/portal-settings.ts';

/** The parts of {@link createPortal}. */
export interface PortalParts {
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

const signInOf = (
  parts: PortalParts,
  cookie: PortalContext['cookie'],
): Pick<PortalContext, 'access' | 'signIn'> => {
  const { settings, store, now, fetch, onFailure } = parts;
  const { publicUrl, signIn } = settings;
  if (signIn === undefined) return { access: openAccess };
  const redirectUri = new URL('auth/callback', publicUrl);
  const provider = new IdentityProvider({ settings: signIn, redirectUri, fetch, now });
  const sessions = createSessions(store);
  return {
    access: signedInAccess(cookie, createCurrentSession(sessions, provider, now)),
    signIn: { publicUrl, provider, sessions, cookie, onFailure },
  };
};

/** Creates the backend. Rejects when the web application is not built. */
export const createPortal = async (parts: PortalParts): Promise<Portal> => {
  const { settings, onFailure } = parts;
  const { publicUrl, webRoot, key } = settings;
  const cookie = createSessionCookie(publicUrl);
  const forwarder = createForwarder();
  const context: PortalContext = {
    settings,
    cookie,
    forwarder,
    tokens: createRequestTokens(key),
    indexPage: await openIndexPage(webRoot, publicUrl.pathname),
    assets: await openAssetFiles(webRoot),
    ...signInOf(parts, cookie),
  };
  const handle: Portal['handle'] = (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', publicUrl);
    if (!pathname.startsWith(publicUrl.pathname)) {
      answerRefusal(response, 'not-found');
      return;
    }
    const path = pathname.slice(publicUrl.pathname.length);
    routeRequest(context, { request, response, path, query }).catch((error: unknown) => {
      onFailure(error instanceof StateStoreError ? error.message : 'a request failed');
      if (response.headersSent) response.destroy();
      else answerRefusal(response, 'store-unavailable');
    });
  };
  return { handle, close: () => forwarder.close() };
};
