import { processDiscoveryResponse, type AuthorizationServer } from 'oauth4webapi';
import { CommandFailure } from '../failure.ts';
import { requireSecure, signInFetch } from './sign-in-fetch.ts';

/** The places of the metadata of an issuer, in order: RFC 8414 section 3.1, then OpenID Connect Discovery. */
const metadataUrls = (issuer: URL): readonly URL[] => {
  const path = issuer.pathname.replace(/\/$/u, '');
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (suffix) => `/.well-known/${suffix}${path}`,
  );
  const appended = path === '' ? [] : [`${path}/.well-known/openid-configuration`];
  return [...inserted, ...appended].map((place) => new URL(place, issuer));
};

/** Returns the metadata of an issuer. Its `issuer` is the same text, and it supports PKCE with S256. */
export const discoverServer = async (identifier: string): Promise<AuthorizationServer> => {
  if (!URL.canParse(identifier)) {
    throw new CommandFailure('failed', 'the gateway names an authorization server that is no URL');
  }
  const issuer = requireSecure(new URL(identifier));
  for (const url of metadataUrls(issuer)) {
    const response = await signInFetch(url, { headers: { accept: 'application/json' } });
    if (response.status !== 200) continue;
    const server = await processDiscoveryResponse(issuer, response);
    if (server.issuer !== identifier) {
      throw new CommandFailure('failed', `the metadata of ${identifier} names another issuer`);
    }
    if (server.code_challenge_methods_supported?.includes('S256') === true) return server;
    throw new CommandFailure('failed', `${identifier} does not support PKCE with S256`);
  }
  throw new CommandFailure(
    'failed',
    `${identifier} publishes no metadata of an authorization server`,
  );
};
