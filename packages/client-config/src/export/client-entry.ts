import { parse, stringify } from 'smol-toml';
import { CLIENT_SHAPES, type ClientId } from '../clients.ts';
import { type JsonObject, ownValue, parseJson, withoutMark } from '../json.ts';
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

type HttpEndpoint = Extract<GatewayEndpoint, { kind: 'http' }>;
type StdioEndpoint = Extract<GatewayEndpoint, { kind: 'stdio' }>;

const headersOf = ({ headers }: HttpEndpoint): JsonObject =>
  headers === undefined || Object.keys(headers).length === 0 ? {} : { headers };

const typedHttp = (endpoint: HttpEndpoint): JsonObject => ({
  type: 'http',
  url: endpoint.url,
  ...headersOf(endpoint),
});

const untypedHttp = (endpoint: HttpEndpoint): JsonObject => ({
  url: endpoint.url,
  ...headersOf(endpoint),
});

const codexHttp = (endpoint: HttpEndpoint): JsonObject => {
  const { headers } = headersOf(endpoint);
  return { url: endpoint.url, ...(headers !== undefined && { http_headers: headers }) };
};

const HTTP_ENTRIES: Readonly<
  Record<ClientId, ((endpoint: HttpEndpoint) => JsonObject) | undefined>
> = {
  'claude-desktop': undefined,
  'claude-code': typedHttp,
  cursor: untypedHttp,
  vscode: typedHttp,
  windsurf: (endpoint) => ({ serverUrl: endpoint.url, ...headersOf(endpoint) }),
  codex: codexHttp,
  gemini: (endpoint) => ({ httpUrl: endpoint.url, ...headersOf(endpoint) }),
  zed: untypedHttp,
  jetbrains: undefined,
};

/** Clients whose entries name the transport. */
const TYPED: ReadonlySet<ClientId> = new Set(['claude-code', 'vscode']);

const stdioEntry = (client: ClientId, { command, args, env }: StdioEndpoint): JsonObject => ({
  ...(TYPED.has(client) && { type: 'stdio' }),
  ...(client === 'zed' && { source: 'custom' }),
  command,
  args,
  ...(env !== undefined && { env }),
});

/** The entry of a client, or the reason that there is none. */
type ClientEntry =
  | { readonly ok: true; readonly entry: JsonObject }
  | { readonly ok: false; readonly problem: string };

/** Returns the entry by which a client reaches the gateway, in the fields of that client. */
export const clientEntry = (client: ClientId, endpoint: GatewayEndpoint): ClientEntry => {
  if (endpoint.kind === 'stdio') return { ok: true, entry: stdioEntry(client, endpoint) };
  const render = HTTP_ENTRIES[client];
  if (render !== undefined) return { ok: true, entry: render(endpoint) };
  const { title } = CLIENT_SHAPES[client];
  return {
    ok: false,
    problem: `${title} cannot be configured with a URL in its file: use a command (stdio)`,
  };
};

/** A configuration of a client, or the reason that there is none. */
export type RenderedConfig =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** The entry of the gateway in a configuration. */
export interface NamedEndpoint {
  /** The name under which the client shows the gateway. */
  readonly name: string;
  readonly endpoint: GatewayEndpoint;
}

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
