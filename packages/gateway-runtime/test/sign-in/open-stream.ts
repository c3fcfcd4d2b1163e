import type { SignInGateway } from './gateway-harness.ts';

/** Messages that a client receives on a stream. */
export interface OpenStream {
  /** The methods of the notifications so far. */
  readonly methods: readonly string[];
  readonly close: () => void;
}

const PREFIX = 'io.modelcontextprotocol';

/** Reads the notifications of an event stream into an array. */
const readStream = (response: Response, abort: AbortController): OpenStream => {
  if (response.body === null || !response.ok) throw new Error(`status ${response.status}`);
  const methods: string[] = [];
  const read = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const { method } = line.startsWith('data: {')
          ? (JSON.parse(line.slice('data: '.length)) as { readonly method?: string })
          : {};
        if (method !== undefined) methods.push(method);
      }
    }
  };
  read(response.body as unknown as AsyncIterable<Uint8Array>).catch(() => undefined);
  return { methods, close: () => abort.abort() };
};

const headersOf = (user: string): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${user}`,
});

/** Opens a stream of 2026-07-28 on which a user waits for changed lists of tools. */
export const listen = async ({ gateway }: SignInGateway, user: string): Promise<OpenStream> => {
  const abort = new AbortController();
  const method = 'subscriptions/listen';
  const response = await fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    signal: abort.signal,
    headers: {
      ...headersOf(user),
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          [`${PREFIX}/protocolVersion`]: '2026-07-28',
          [`${PREFIX}/clientCapabilities`]: {},
        },
      },
    }),
  });
  return readStream(response, abort);
};

/** Opens a session of 2025-11-25 and its stream. */
export const openSession = async (
  { gateway }: SignInGateway,
  user: string,
): Promise<OpenStream & { readonly session: string }> => {
  const url = new URL('/mcp', gateway.url);
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const initialized = await fetch(url, {
    method: 'POST',
    headers: headersOf(user),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await initialized.text();
  const session = initialized.headers.get('mcp-session-id') ?? '';
  const headers = {
    ...headersOf(user),
    'mcp-session-id': session,
    'mcp-protocol-version': '2025-11-25',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await fetch(url, { method: 'POST', headers, body });
  const abort = new AbortController();
  return {
    session,
    ...readStream(await fetch(url, { headers, signal: abort.signal }), abort),
  };
};
