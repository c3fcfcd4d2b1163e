import { retryAssertion } from '@gateway/repo-checks';
import { createTestUser, signIn, startProtectedServer, startProvider } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { callTool, textOf, toolNames } from './harness/answers.ts';
import { STDIO_CLIENTS } from './harness/clients.ts';
import { stdioCommand } from './harness/gateway.ts';
import { closing, testDirectory } from './harness/lifetime.ts';

// `long/sign-in-links.e2e.test.ts` signs clients in over HTTP.
it('signs a client in to a server over stdio', async () => {
  const { issuer } = await closing(startProvider());
  const notes = await closing(
    startProtectedServer({ issuers: [issuer], scopesSupported: ['mcp'] }),
  );
  const directory = testDirectory();
  directory.config({ auth: { allowPrivate: true } });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, auth, autoStart: true });
  const client = await STDIO_CLIENTS['generation 2, 2025 era'](stdioCommand(directory.path));
  const login = () => callTool(client, 'core_auth_login', { server: 'notes' });
  const { authUrl } = (await login()).structuredContent as { readonly authUrl: string };
  expect((await signIn(authUrl, createTestUser('ada'))).status).toBe(200);
  await retryAssertion(async () => {
    expect(textOf(await callTool(client, 'x_notes_whoami'))).toContain('ada');
  });
  expect(textOf(await login())).toBe("Server 'notes' is already authenticated.");
  expect(await toolNames(client)).toContain('x_notes_whoami');
});
