import { resolveAuthStrategy, resolveExpectedIssuer, parseMcpServer } from '@gateway/crd-schemas';

/** How requests to a remote server are authenticated, in a few words. */
export const authentication = (document: unknown): string => {
  const parsed = parseMcpServer(document);
  if (!parsed.ok || parsed.value.spec.type === 'stdio') return 'not at all';
  const strategy = resolveAuthStrategy(parsed.value.spec.auth);
  return strategy.kind === 'tokenExchange'
    ? `with a token of ${resolveExpectedIssuer(strategy.tokenExchange)}`
    : strategy.kind;
};
