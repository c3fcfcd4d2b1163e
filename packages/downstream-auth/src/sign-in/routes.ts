import { clientDocument, CLIENT_DOCUMENT_PATH } from '../clients/client-document.ts';
import { CALLBACK_PATH, createCallbackRoute } from './callback-route.ts';
import type { CallbackDependencies } from './callback-route.ts';
import type { Route } from './route-handling.ts';
import type { SignInContext } from './sign-in-context.ts';
import { createStartRoute, START_PATH } from './start-route.ts';
import type { StartDependencies } from './start-route.ts';

/** Handlers by path. */
export type Routes = Readonly<Record<string, Route>>;

/** The dependencies of the routes. */
export interface RouteDependencies extends StartDependencies, CallbackDependencies {}

/** The document exists where its URL has the scheme https; without it, authorization servers do not accept the URL as a client ID. */
const documentRoute =
  ({ urls: urlsOf }: SignInContext): Route =>
  ({ method }, response) => {
    void urlsOf()
      .catch(() => undefined)
      .then((urls) => {
        const isServed = urls?.document.startsWith('https:') === true;
        if (urls === undefined || !isServed || method !== 'GET') response.writeHead(404).end();
        else
          response
            .writeHead(200, {
              'content-type': 'application/json',
              'cache-control': 'public, max-age=300',
              'x-content-type-options': 'nosniff',
            })
            .end(JSON.stringify(clientDocument(urls.document, urls.callback)));
      });
  };

/** Creates the handlers of the start of a sign-in, of its callback, and of the client ID metadata document. */
export const createRoutes = (dependencies: RouteDependencies): Routes => ({
  [START_PATH]: createStartRoute(dependencies),
  [CALLBACK_PATH]: createCallbackRoute(dependencies),
  [CLIENT_DOCUMENT_PATH]: documentRoute(dependencies.context),
});
