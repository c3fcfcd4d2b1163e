import { parse } from 'smol-toml';
import type { ClientId } from '../clients/client-id.ts';
import { CLIENT_SHAPES } from '../clients/client-shape.ts';
import { ownValue, type JsonObject } from '../reading/json-object.ts';
import { parseJson, withoutMark } from '../reading/json-text.ts';
import { readServer } from '../servers/read-server.ts';

/** A server in a configuration of a client. */
export interface ClientServer {
  /** The name in the configuration. */
  readonly source: string;
  /** The arguments of `core_mcpserver_create`, except the name. */
  readonly definition: JsonObject;
}

const readDocument = (client: ClientId, text: string): unknown => {
  if (CLIENT_SHAPES[client].format === 'toml') return parse(text);
  const json = parseJson(text);
  return json.ok ? json.value : undefined;
};

/**
 * Returns the server that has a name in a configuration of a client, which `mergeConfig` would replace; `undefined` when there is none.
 *
 * @param file a text that `mergeConfig` accepts
 */
export const entryIn = (client: ClientId, file: string, name: string): ClientServer | undefined => {
  const document = readDocument(client, withoutMark(file));
  const value = ownValue(ownValue(document, CLIENT_SHAPES[client].parent), name);
  return value === undefined
    ? undefined
    : { source: name, definition: readServer(value).definition };
};
