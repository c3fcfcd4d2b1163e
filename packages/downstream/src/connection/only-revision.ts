import type { McpServer, McpServerProtocol } from '@gateway/crd-schemas';
import type { Era } from '../requests/request-connection.ts';

/** A revision of MCP that a definition names. */
export type NamedRevision = Exclude<McpServerProtocol, 'auto'>;

const ERAS: Readonly<Record<NamedRevision, Era>> = {
  '2025-11-25': 'legacy',
  '2026-07-28': 'modern',
};

/** Returns the only revision in which a server may be connected; `undefined` when the server decides. */
export const onlyRevisionOf = ({ spec }: Pick<McpServer, 'spec'>): NamedRevision | undefined =>
  spec.protocol === undefined || spec.protocol === 'auto' ? undefined : spec.protocol;

/** Returns the era of the only revision of a server, or else its last known one. */
export const eraToTry = (
  server: Pick<McpServer, 'spec'>,
  knownEra: Era | undefined,
): Era | undefined => {
  const only = onlyRevisionOf(server);
  return only === undefined ? knownEra : ERAS[only];
};
