import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IndexPage } from '../assets/index-page.ts';
import type { AssetFiles } from '../assets/asset-files.ts';
import type { Forwarder } from '../forward/forward-request.ts';
import type { OwnRequests } from '../guard/own-requests.ts';
import type { RequestTokens } from '../guard/request-token.ts';
import type { ReadAccess } from '../person/person-access.ts';
import type { RunningRequests } from '../person/running-requests.ts';
import type { SignInParts } from '../person/sign-in-routes.ts';
import type { PortalSettings } from '../settings/portal-settings.ts';

/** The parts that the routes of a portal share. */
export interface PortalContext {
  readonly settings: PortalSettings;
  readonly access: ReadAccess;
  readonly own: OwnRequests;
  readonly tokens: RequestTokens;
  readonly forwarder: Forwarder;
  readonly running: RunningRequests;
  readonly indexPage: IndexPage;
  readonly assets: AssetFiles;
  /** Absent where persons do not sign in. */
  readonly signIn?: SignInParts;
}

/** One request of a browser. */
export interface PortalExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path after the prefix of the portal, without a slash in front. */
  readonly path: string;
  readonly query: URLSearchParams;
}
