import { parse, stringify } from 'smol-toml';
import { CLIENT_SHAPES, type ClientId } from '../clients.ts';
import { ownValue, type JsonObject } from '../json.ts';
import { parseJson, withoutMark } from '../json-text.ts';
import { readServer } from '../servers/read-server.ts';

/** How a client reaches the gateway. */
export type GatewayEndpoint =
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    };

/** The entry of the gateway in a configuration. */
export interface NamedEndpoint {
  /** The name under which the client shows the gateway. */
  readonly name: string;
  readonly endpoint: GatewayEndpoint;
}

/** The entry of a client, or the reason that there is none. */
export type ClientEntry =
  | { readonly ok: true; readonly entry: JsonObject }
  | { readonly ok: false; readonly problem: string };

/** Returns the entry by which a client reaches the gateway, in the fields of that client. */
export const clientEntry = (client: ClientId, endpoint: GatewayEndpoint): ClientEntry => {
  const { title, urlKey, headersKey = 'headers', isTyped } = CLIENT_SHAPES[client];
  if (endpoint.kind === 'stdio') {
    const { command, args, env } = endpoint;
    return {
      ok: true,
      entry: {
        ...(isTyped && { type: 'stdio' }),
        ...(client === 'zed' && { source: 'custom' }),
        command,
        args,
        ...(env !== undefined && { env }),
      },
    };
  }
  if (urlKey === undefined)
    return {
      ok: false,
      problem: `${title} cannot be configured with a URL in its file: use a command (stdio)`,
    };
  const { url, headers = {} } = endpoint;
  return {
    ok: true,
    entry: {
      ...(isTyped && { type: 'http' }),
      [urlKey]: url,
      ...(Object.keys(headers).length > 0 && { [headersKey]: headers }),
    },
  };
};

/** A configuration of a client, or the reason that there is none. */
export type RenderedConfig =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** Returns a whole configuration file of a client with the gateway as its only server. It ends with a line break. */
export const renderConfig = (
  client: ClientId,
  { name, endpoint }: NamedEndpoint,
): RenderedConfig => {
  const rendered = clientEntry(client, endpoint);
  if (!rendered.ok) return rendered;
  const { format, parent } = CLIENT_SHAPES[client];
  const document = { [parent]: Object.fromEntries([[name, rendered.entry]]) };
  const text = format === 'toml' ? stringify(document) : JSON.stringify(document, undefined, 2);
  return { ok: true, text: text.endsWith('\n') ? text : `${text}\n` };
};

/** A server in a configuration of a client. */
export interface ClientServer {
  /** The name in the configuration. */
  readonly source: string;
  /** The arguments of `core_mcpserver_create`, except the name. */
  readonly definition: JsonObject;
}

/**
 * Returns the server that has a name in a configuration of a client, which `mergeConfig` would replace; `undefined` when there is none.
 *
 * @param file a text that `mergeConfig` accepts
 */
export const entryIn = (client: ClientId, file: string, name: string): ClientServer | undefined => {
  const { format, parent } = CLIENT_SHAPES[client];
  const text = withoutMark(file);
  const json = format === 'json' ? parseJson(text) : undefined;
  const document = json === undefined ? parse(text) : json.ok && json.value;
  const value = ownValue(ownValue(document, parent), name);
  return value === undefined
    ? undefined
    : { source: name, definition: readServer(value).definition };
};
