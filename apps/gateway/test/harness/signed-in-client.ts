import { signIn, createTestUser } from '@gateway/test-peers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientBrowser, REDIRECT } from './broker-token.ts';
import type { RunningGateway } from './gateway.ts';
import { atEnd } from './lifetime.ts';
import { ClientState, OAUTH_CLIENTS } from './oauth-clients.ts';

/** Signs a user in to a gateway in mode `broker` and returns their client. The end of the test closes it. */
export const signedInClient = async (name: string, { url }: RunningGateway): Promise<Client> => {
  const endpoint = new URL('/mcp', url);
  const state = new ClientState(REDIRECT);
  const oauth = OAUTH_CLIENTS['generation 2'];
  if (await oauth.connect(endpoint, state)) throw new Error('the gateway requires no sign-in');
  if (state.link === undefined) throw new Error('the client has no link');
  const browser = clientBrowser();
  const page = await signIn(state.link, createTestUser(name), { browser });
  await oauth.finish(endpoint, state, new URL(page.url));
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider: state }));
  atEnd(() => client.close());
  return client;
};
