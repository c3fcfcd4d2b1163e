import { retryAssertion } from '@gateway/repo-checks';
import { startProvider, type TestProvider } from '@gateway/test-peers';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool, textOf, toolNames } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { CLI, startGateway, type RunningGateway } from '../harness/gateway.ts';
import { INITIALIZE } from '../harness/initialize-message.ts';
import { closing, setUp, testDirectory } from '../harness/lifetime.ts';
import { toolCallOf, postMessage } from '../harness/mcp-posts.ts';

const RESOURCE = 'https://gateway.test/mcp';
const METADATA = 'https://gateway.test/.well-known/oauth-protected-resource/mcp';

const directory = testDirectory();
let provider: TestProvider;
let gateway: RunningGateway;
const tokens: string[] = [];

/** Signs a token of a user; it is searched for in all outputs at the end. */
const tokenOf = async (subject: string, claims: object = {}): Promise<string> => {
  const token = await provider.sign({
    ...{ sub: subject, aud: RESOURCE, scope: 'mcp:read' },
    ...claims,
  });
  tokens.push(token);
  return token;
};

const post = (message: object, headers: Record<string, string>) =>
  postMessage(gateway.url, message, { headers });

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

setUp(async () => {
  provider = await closing(startProvider());
  directory.config({
    http: { publicUrl: 'https://gateway.test' },
    auth: {
      mode: 'resource-server',
      adminGroups: ['admins'],
      issuers: [{ issuer: provider.issuer }],
    },
    audit: { file: 'audit.jsonl' },
  });
  directory.workflow('hello', { steps: [{ id: 'a', tool: 'core_workflow_list' }] });
  gateway = await startGateway(directory.path, { args: ['--log-level', 'trace'] });
});
const initialize = (headers: Record<string, string>) => post(INITIALIZE, headers);

describe('a gateway whose callers sign in at an authorization server', () => {
  it('leads a client without a token to its metadata', async () => {
    const refused = await initialize({});
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${METADATA}", scope="mcp:read"`,
    ]);
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', gateway.url));
    expect(await metadata.json()).toMatchObject({
      resource: RESOURCE,
      authorization_servers: [provider.issuer],
      scopes_supported: ['mcp:read', 'mcp:admin'],
    });
  });

  it('serves the user of a token, and leaves the front page and the probes open', async () => {
    const client = await connect(new URL('/mcp', gateway.url), bearer(await tokenOf('ada')));
    expect(await toolNames(client)).toContain('core_service_list');
    for (const path of ['/', '/healthz', '/readyz', '/metrics']) {
      expect([path, (await fetch(new URL(path, gateway.url))).status]).toEqual([path, 200]);
    }
  });

  it('answers 403 with the scope for a core tool that writes, and serves administrators who asked for it', async () => {
    const call = (token: string) =>
      post(toolCallOf('core_workflow_delete', { name: 'none' }), bearer(token));
    const refused = await call(await tokenOf('ada'));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", error_description="The access token lacks a scope", resource_metadata="${METADATA}", scope="mcp:admin"`,
    ]);
    expect(JSON.parse(refused.text)).toMatchObject({
      error: {
        message:
          'core_workflow_delete is refused because it changes the gateway; it needs the scope mcp:admin, which the authorization server grants to members of the groups in "auth.adminGroups" of config.yaml; sign in again with it: gateway auth login --scope mcp:admin',
      },
    });
    expect((await call(await tokenOf('ada', { scope: 'mcp:admin' }))).status).toBe(200);
    expect((await call(await tokenOf('ada', { groups: ['admins'] }))).status).toBe(403);
  });

  it('shows users their own runs of workflows, and administrators those of all', async () => {
    const as = async <T>(
      subject: string,
      claims: object,
      use: (client: TestClient) => Promise<T>,
    ) => {
      const token = await tokenOf(subject, claims);
      const client = await connect(new URL('/mcp', gateway.url), bearer(token));
      return use(client);
    };
    const idsOf = async (client: TestClient): Promise<readonly string[]> => {
      const text = textOf(await callTool(client, 'core_workflow_execution_list', {}));
      const { executions } = JSON.parse(text) as { executions: { execution_id: string }[] };
      return executions.map(({ execution_id }) => execution_id);
    };
    const runOf = (subject: string): Promise<string> =>
      as(subject, {}, async (client) => {
        const text = textOf(await callTool(client, 'workflow_hello', {}));
        expect(text).toContain('"completed"');
        return (await idsOf(client))[0] ?? '';
      });
    const [adas, graces] = [await runOf('ada'), await runOf('grace')];
    expect(await as('ada', {}, idsOf)).toEqual([adas]);
    expect(await as('root', { scope: 'mcp:admin' }, idsOf)).toEqual([graces, adas]);
    const get = (id: string) => (client: TestClient) =>
      callTool(client, 'core_workflow_execution_get', { execution_id: id }).then(textOf);
    expect(await as('ada', {}, get(graces))).toBe(
      `Failed to get execution: execution ${graces} not found`,
    );
    expect(await as('root', { scope: 'mcp:admin' }, get(graces))).toContain('"completed"');
  });

  it('writes no token to any output, and the reasons of refusals to metrics and the audit log', async () => {
    expect((await initialize(bearer(await tokenOf('ada', { exp: 1 })))).status).toBe(401);
    const acting = await tokenOf('root', { act: { sub: 'assistant' } });
    const client = await connect(new URL('/mcp', gateway.url), bearer(acting));
    await callTool(client, 'core_service_list');
    const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
    expect(metrics).toContain('gateway_http_refusals_total{code="not-authenticated:expired"} 1');
    const audit = await retryAssertion(async () => {
      const text = await readFile(join(directory.path, 'audit.jsonl'), 'utf8');
      expect(text).toContain('endpoint:not-authenticated:expired');
      return text;
    });
    expect(audit).toContain('"subject":"ada"');
    expect(audit).toContain(`"issuer":"${provider.issuer}","actor":"assistant"`);
    const outputs = [metrics, audit, ...gateway.stderr, ...gateway.stdout].join('\n');
    for (const token of tokens) {
      for (const part of [token, ...token.split('.')]) expect(outputs).not.toContain(part);
    }
  });
});

describe('the start of a gateway with sign-in', () => {
  it('fails without a URL at which clients reach it, and ends the process', async () => {
    const other = testDirectory();
    other.config({ auth: { mode: 'resource-server', issuers: [{ issuer: 'https://i.test' }] } });
    other.server('waiting', fixture('silent'));
    const args = ['serve', '--config-dir', other.path, '--port', '0', '--no-health-listener'];
    // The message channel to the parent must not keep the process alive.
    const child = fork(CLI, args, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const output = child.stderr?.toArray();
    const [code] = (await once(child, 'exit')) as unknown[];
    expect(code).toBe(1);
    expect(String(await output)).toContain('http.publicUrl is required');
  });
});
