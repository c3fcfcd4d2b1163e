import { authStrategyOf, type McpServer } from '@gateway/crd-schemas';

/** Prefix of the scope that requests an audience from Dex. */
const AUDIENCE_SCOPE = 'audience:server:client_id:';
/** A scope token. RFC 6749 §3.3 */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/u;

/** Returns the scope that requests an audience from Dex, or `undefined` for an audience that no scope can contain. */
export const audienceScope = (audience: string): string | undefined =>
  SCOPE_TOKEN.test(audience) ? AUDIENCE_SCOPE + audience : undefined;

/**
 * Returns the audiences that a forwarded ID token must carry for these servers: the union of `requiredAudiences`, sorted. Servers with token
 * exchange request theirs in the exchange. @spec §2.6 requiredAudiences
 */
export const requiredAudiencesOf = (servers: readonly McpServer[]): readonly string[] => {
  const audiences = servers.flatMap(({ spec }) =>
    spec.type !== 'stdio' && authStrategyOf(spec.auth).kind === 'forwardToken'
      ? spec.auth.requiredAudiences
      : [],
  );
  return [...new Set(audiences)].toSorted();
};
