import type { AuthorizationServer, McpServer } from '@gateway/crd-schemas';
import type { Principal } from '@gateway/call-contract';
import type { DiscoveryRequest } from '../discovery/discover-target.ts';

/** One person and one remote server, as its definition is now. */
export interface Person {
  readonly principalKey: string;
  /** Name of the server. */
  readonly server: string;
  readonly url: string;
  readonly pinned?: AuthorizationServer;
}

/** Returns the person and the server; `undefined` for a server that is not remote. */
export const personAt = (
  { metadata, spec }: McpServer,
  { key }: Pick<Principal, 'key'>,
): Person | undefined => {
  if (spec.type === 'stdio') return undefined;
  const pinned = spec.auth.authorizationServer;
  return {
    principalKey: key,
    server: metadata.name,
    url: spec.url,
    ...(pinned !== undefined && { pinned }),
  };
};

/** Returns the discovery of a server. */
export const discoveryOf = ({ url, pinned }: Person): DiscoveryRequest => ({
  serverUrl: url,
  ...(pinned !== undefined && { pinned }),
});

/** Returns the URLs that the operator wrote for a server. */
export const operatorUrls = ({ url, pinned }: Person): readonly string[] =>
  pinned === undefined ? [url] : [url, pinned.issuer];
