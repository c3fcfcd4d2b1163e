import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { startBrokerGateway } from '../harness/broker-gateway.ts';
import { startCallbackListener, startPageOf } from '../harness/callback-listener.ts';
import { findFreePort } from '@gateway/test-peers';
import type { RunningGateway } from '../harness/gateway.ts';
import { atEnd, setUp } from '../harness/lifetime.ts';
import { ClientState, OAUTH_CLIENTS } from '../harness/oauth-clients.ts';
import { startUser } from '../harness/user.ts';
import { testFolder } from '../harness/program-result.ts';

let gateway: RunningGateway;

setUp(async () => {
  gateway = await startBrokerGateway();
});

/** Starts a sign-in of a client and returns the link that it opens. */
const startSignIn = async (endpoint: URL, name: keyof typeof OAUTH_CLIENTS = 'generation 1') => {
  const client = OAUTH_CLIENTS[name];
  const state = new ClientState(await startCallbackListener());
  expect(await client.connect(endpoint, state)).toBe(false);
  if (state.link === undefined) throw new Error('the client has no link');
  return { client, state, link: state.link };
};

describe('a user signs in with a browser, at Dex, and consents', () => {
  for (const name of ['generation 1', 'generation 2'] as const)
    it(`for the client of the SDK of ${name}`, async () => {
      const endpoint = new URL('/mcp', gateway.url);
      const { client, state, link } = await startSignIn(endpoint, name);
      const user = await startUser('alice');
      await user.signIn(link);
      await client.finish(endpoint, state, new URL(user.page.url()));
      expect(await client.toolNames(endpoint, state)).toContain('call_tool');
    });

  it('for mcp-remote', async () => {
    const folder = testFolder();
    const manifest = createRequire(import.meta.url).resolve('mcp-remote/package.json');
    const endpoint = new URL('/mcp', gateway.url).href;
    const port = String(await findFreePort());
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(dirname(manifest), 'dist/proxy.js'), endpoint, port, '--transport', 'http-only'],
      // Without a PATH it finds no program that opens a browser: the user opens the link that it prints.
      env: { MCP_REMOTE_CONFIG_DIR: folder, HOME: folder, PATH: folder },
      stderr: 'pipe',
    });
    const lines: string[] = [];
    transport.stderr?.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
    const client = new Client({ name: 'test', version: '1.0.0' });
    const connected = client.connect(transport);
    atEnd(() => client.close());
    const link = await retryAssertion(() => {
      const found = /(http:\S+[?&]code_challenge=\S+)/u.exec(lines.join(''))?.[1];
      if (found === undefined) throw new Error(lines.join(''));
      return found;
    });
    const user = await startUser('alice');
    await user.signIn(link);
    await connected;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('call_tool');
  });
});

describe('the consent page', () => {
  const openConsent = async () => {
    const { state, link } = await startSignIn(new URL('/mcp', gateway.url));
    const user = await startUser('alice');
    await user.openUntilConsent(link);
    return { user, state };
  };

  it('names the client, its redirect host, the user and the permissions', async () => {
    const { user, state } = await openConsent();
    const text = await user.page.locator('main').innerText();
    expect(text).toContain('A test client');
    expect(text).toContain(new URL(state.redirectUrl).host);
    expect(text).toContain('alice@example.com');
    expect(await user.page.locator('script').count()).toBe(0);
  });

  it('cannot be shown in a frame of another site', async () => {
    const { user } = await openConsent();
    const consent = user.page.url();
    await user.page.goto(await startPageOf(`<iframe src="${consent}"></iframe>`));
    await user.page.waitForLoadState('networkidle');
    const [, frame] = user.page.frames();
    expect(frame?.url()).toBe('chrome-error://chromewebdata/');
  });

  it('is not submitted by a form of another site', async () => {
    const { user } = await openConsent();
    const action = new URL(
      (await user.page.locator('form').getAttribute('action')) ?? '',
      user.page.url(),
    );
    const form = `<form method="post" action="${action.href}"><input name="decision" value="allow"><button>Win</button></form>`;
    await user.page.goto(await startPageOf(form));
    const [response] = await Promise.all([
      user.page.waitForResponse((answer) => answer.request().method() === 'POST'),
      user.page.click('button'),
    ]);
    expect(response.status()).toBeGreaterThanOrEqual(400);
    expect(user.page.url()).not.toContain('code=');
  });

  it('says that it is expired when the user goes back and consents again', async () => {
    const { link } = await startSignIn(new URL('/mcp', gateway.url));
    const user = await startUser('alice');
    await user.signIn(link);
    await user.page.goBack();
    const button = user.page.getByRole('button', { name: 'Allow' });
    if (await button.isVisible()) await button.click();
    await user.page.waitForLoadState();
    expect(await user.page.locator('main').innerText()).toMatch(/expired|invalid/iu);
  });

  it('says that it is expired when it belongs to no sign-in', async () => {
    const { user } = await openConsent();
    await user.page.context().clearCookies();
    const response = await user.page.reload();
    expect(response?.status()).toBe(400);
    expect(await user.page.locator('main').innerText()).toMatch(/expired|invalid/iu);
  });
});
