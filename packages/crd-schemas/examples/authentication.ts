import { authStrategyOf, expectedIssuerOf, parseMcpServer } from '@gateway/crd-schemas';

/** How requests to a remote server are authenticated, in a few words. */
export const authentication = (document: unknown): string => {
  const parsed = parseMcpServer(document);
  if (!parsed.ok || parsed.value.spec.type === 'stdio') return 'not at all';
  const strategy = authStrategyOf(parsed.value.spec.auth);
  return strategy.kind === 'tokenExchange'
    ? `with a token of ${expectedIssuerOf(strategy.tokenExchange)}`
    : strategy.kind;
};
