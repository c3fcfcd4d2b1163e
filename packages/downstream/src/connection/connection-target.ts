import type { McpServer } from '@gateway/crd-schemas';
import type { HttpAuthority } from '../wire/http/http-authority.ts';
import { secretsOf } from '../wire/secrets.ts';

/** The authority of the requests of one person's connection. */
export interface ConnectionAuthority extends HttpAuthority {
  /** Returns the values that no text may show. */
  secrets(): readonly string[];
}

/** The server of a connection, and for the connection of one person what authorizes its requests. */
export interface ConnectionTarget {
  readonly server: McpServer;
  readonly authority?: ConnectionAuthority | undefined;
}

/** Returns the values of a connection that no text may show. */
export const secretsOfTarget = ({ server, authority }: ConnectionTarget): readonly string[] =>
  authority === undefined ? secretsOf(server) : [...secretsOf(server), ...authority.secrets()];
