import { parse } from 'smol-toml';
import type { ClientId } from '../clients/client-id.ts';
import { CLIENT_SHAPES } from '../clients/client-shape.ts';
import { ownValue, type JsonObject } from '../reading/json-object.ts';
import { strictJson, withoutMark } from '../reading/relaxed-json.ts';
import { readServer } from '../servers/read-server.ts';

/** A server in a configuration of a client. */
export interface ClientServer {
  /** The name in the configuration. */
  readonly source: string;
  /** The arguments of `core_mcpserver_create`, except the name. */
  readonly definition: JsonObject;
}

const documentOf = (client: ClientId, text: string): unknown =>
  CLIENT_SHAPES[client].format === 'toml'
    ? parse(withoutMark(text))
    : (JSON.parse(strictJson(text)) as unknown);

/**
 * Returns the server that has a name in a configuration of a client, which `mergeConfig` would replace; `undefined` when there is none.
 *
 * @throws SyntaxError or TomlError for a text that `mergeConfig` refuses
 */
export const entryIn = (client: ClientId, text: string, name: string): ClientServer | undefined => {
  if (withoutMark(text).trim() === '') return undefined;
  const servers = ownValue(documentOf(client, text), CLIENT_SHAPES[client].parent);
  const value = ownValue(servers, name);
  return value === undefined
    ? undefined
    : { source: name, definition: readServer(value).definition };
};
