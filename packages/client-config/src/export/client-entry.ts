import type { ClientId } from '../clients/client-id.ts';
import { CLIENT_SHAPES } from '../clients/client-shape.ts';
import type { JsonObject } from '../reading/json-object.ts';

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
export type ClientEntry =
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
