import { retryAssertion } from '@gateway/repo-checks';
import { signIn, startProtectedServer, startProvider, createTestUser } from '@gateway/test-peers';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask, callTool, textOf } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { startGateway } from '../harness/gateway.ts';
import { closing, testDirectory } from '../harness/lifetime.ts';

const SECRET_PARAMETERS = ['code', 'code_verifier', 'refresh_token', 'client_secret', 'state'];

const login = (client: TestClient) => callTool(client, 'core_auth_login', { server: 'notes' });

const isAbout = (name: string) => (record: Readonly<Record<string, unknown>>) =>
  record['metaTool'] === 'call_tool' && record['name'] === name;

it('keeps the secrets of a sign-in out of logs, metrics, the audit log, events, errors and answers', async () => {
  const provider = await closing(startProvider());
  const { issuer } = provider;
  const notes = await closing(
    startProtectedServer({ issuers: [issuer], scopesSupported: ['mcp'] }),
  );
  const directory = testDirectory();
  directory.config({ auth: { allowPrivate: true }, audit: { file: 'audit.log' } });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, auth, autoStart: true });
  const gateway = await startGateway(directory.path, { args: ['--log-level', 'debug'] });
  const client = await connect(gateway.url);
  const { structuredContent } = await login(client);
  const { authUrl } = structuredContent as { readonly authUrl: string };
  const page = await signIn(authUrl, createTestUser('ada'));
  expect(page.status).toBe(200);
  const answers: string[] = [page.text];
  await retryAssertion(async () => {
    expect(textOf(await callTool(client, 'x_notes_whoami'))).toContain('ada');
  });
  const status = await ask(client, 'get_resource', { uri: 'auth://status' });
  answers.push(JSON.stringify(status));
  for (const name of ['core_mcpserver_list', 'core_service_list', 'core_events', 'core_config_get'])
    answers.push(textOf(await callTool(client, name)));
  provider.revokeUser('ada');
  notes.revoke('ada');
  answers.push(textOf(await callTool(client, 'x_notes_whoami')));
  answers.push(await (await fetch(new URL('/metrics', gateway.url))).text());
  const audit = (): string => readFileSync(join(directory.path, 'audit.log'), 'utf8');
  await retryAssertion(() => {
    const records = audit()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(records.filter(isAbout('core_auth_login'))).toMatchObject([
      { subject: 'anonymous', decision: 'allowed', outcome: 'ok' },
    ]);
    expect(records.filter(({ name }) => name === 'auth://status')).toHaveLength(1);
  });
  const sent = provider.requests.flatMap(({ parameters }) =>
    SECRET_PARAMETERS.flatMap((name) =>
      typeof parameters[name] === 'string' ? [parameters[name]] : [],
    ),
  );
  expect(sent.length).toBeGreaterThan(2);
  const output = [...gateway.stderr, ...gateway.stdout, audit(), ...answers].join('\n');
  expect(sent.filter((secret) => output.includes(secret))).toEqual([]);
  expect(/eyJ[\w-]{10}/u.test(output)).toBe(false);
});
