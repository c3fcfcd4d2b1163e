import { CookieBrowser, signIn, startProtectedServer, createTestUser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { brokerAuth, startBrokerProvider } from '../harness/broker-gateway.ts';
import { callTool, textOf } from '../harness/answers.ts';
import { brokerToken, clientBrowser } from '../harness/broker-token.ts';
import { connect } from '../harness/clients.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { closing, setUp, testDirectory } from '../harness/lifetime.ts';

let gateway: RunningGateway;

setUp(async () => {
  const { provider, port } = await startBrokerProvider();
  const { issuer } = provider;
  const notes = await closing(
    startProtectedServer({ issuers: [issuer], scopesSupported: ['mcp'] }),
  );
  const directory = testDirectory();
  directory.config({ auth: brokerAuth(directory, issuer, { allowPrivate: true }) });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, auth, autoStart: true });
  gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
});

/** A user with a browser and an access token of the gateway. */
const userAt = async (url: URL, name: string) => {
  const browser = clientBrowser();
  return { browser, token: await brokerToken(url, name, browser) };
};

const callAs = async (token: string, name: string, args: Record<string, unknown>) => {
  const client = await connect(gateway.url, { authorization: `Bearer ${token}` });
  return callTool(client, name, args);
};

/** The link of a sign-in to the server `notes`. */
const linkFor = async (token: string): Promise<string> => {
  const { structuredContent } = await callAs(token, 'core_auth_login', { server: 'notes' });
  return (structuredContent as { readonly authUrl: string }).authUrl;
};

const whoami = async (token: string): Promise<string> =>
  textOf(await callAs(token, 'x_notes_whoami', {}));

describe('a gateway', () => {
  it('does not give an attacker the account of a user who opens the link of the attacker', async () => {
    const { url } = gateway;
    const [alice, bob] = [await userAt(url, 'alice'), await userAt(url, 'bob')];
    const link = await linkFor(bob.token);
    const page = await alice.browser.open(link);
    expect(page.status).toBe(400);
    expect(page.visited).toHaveLength(1);
    expect(await whoami(bob.token)).toBe('Tool not found: x_notes_whoami');
    const own = await signIn(link, createTestUser('bob'), { browser: bob.browser });
    expect(own.status).toBe(200);
    await expect.poll(() => whoami(bob.token), { timeout: 10_000 }).toContain('bob');
    expect(await whoami(alice.token)).not.toContain('bob');
  });

  it('signs a browser in to itself before it opens a link there, and refuses another user', async () => {
    const dave = await userAt(gateway.url, 'dave');
    const link = await linkFor(dave.token);
    const refused = await signIn(link, createTestUser('carol'));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Authentication session invalid. Please try again.');
    expect(new URL(refused.url).pathname).toBe('/oauth/proxy/start');
    const browser = new CookieBrowser();
    const own = await signIn(link, createTestUser('dave'), { browser });
    expect(own.text).toContain('You are signed in to notes.');
    await expect.poll(() => whoami(dave.token), { timeout: 10_000 }).toContain('dave');
  });
});
