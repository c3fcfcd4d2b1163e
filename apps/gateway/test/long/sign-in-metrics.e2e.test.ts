import { retryAssertion } from '@gateway/repo-checks';
import type { TestProvider } from '@gateway/test-peers';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { brokerAuth, startBrokerProvider } from '../harness/broker-gateway.ts';
import { brokerToken } from '../harness/broker-token.ts';
import { connect } from '../harness/clients.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { setUp, testDirectory } from '../harness/lifetime.ts';
import { rpcOf, postMessage } from '../harness/mcp-posts.ts';

let gateway: RunningGateway;
let provider: TestProvider;
const directory = testDirectory();

setUp(async () => {
  const { port, ...started } = await startBrokerProvider();
  ({ provider } = started);
  directory.config({ auth: brokerAuth(directory, provider.issuer), audit: { file: 'audit.log' } });
  gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
});
/** Returns the values of the series of a metric by their labels. */
const series = async (name: string): Promise<Readonly<Record<string, number>>> => {
  const text = await (await fetch(new URL('/metrics', gateway.url))).text();
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, labels = '', value = ''] = /^(?:[a-z_]+)\{(.*)\} (\S+)$/u.exec(line) ?? [];
      return line.startsWith(`${name}{`) ? [[labels, Number(value)]] : [];
    }),
  );
};

const clientOf = async (token: string) =>
  connect(gateway.url, { authorization: `Bearer ${token}` });

const records = () =>
  readFileSync(join(directory.path, 'audit.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

it('counts sign-ins and verifications of tokens, and audits the callers', async () => {
  const token = await brokerToken(gateway.url, 'ada');
  expect(await series('gateway_caller_sign_ins_total')).toEqual({
    'result="signed-in"': 1,
    'result="consent-given"': 1,
  });
  const client = await clientOf(token);
  await callTool(client, 'core_service_list');
  const headers = { authorization: 'Bearer not-a-token' };
  expect((await postMessage(gateway.url, rpcOf('ping'), { headers })).status).toBe(401);
  const counts = await series('gateway_token_verification_duration_seconds_count');
  expect(counts['outcome="ok"']).toBeGreaterThanOrEqual(1);
  expect(counts['outcome="refused"']).toBe(1);
  const user = { subject: 'ada', issuer: provider.issuer, decision: 'allowed' };
  await retryAssertion(() => {
    const written = records();
    expect(written.filter(({ action }) => action !== undefined)).toMatchObject([
      { ...user, action: 'caller.sign-in' },
      { ...user, action: 'consent.give', client: 'gateway-cli' },
    ]);
    expect(written.find(({ name }) => name === 'core_service_list')).toMatchObject(user);
    expect(JSON.stringify(written)).toContain('endpoint:not-authenticated');
  });
  expect(JSON.stringify(records())).not.toContain(token);
});

it('shows a provider that is away as one event, and counts each sign-in that fails', async () => {
  const client = await clientOf(await brokerToken(gateway.url, 'ada'));
  const body = '<p>Service Unavailable</p>';
  provider.setFault(({ path }) => (path === '/token' ? { status: 503, body } : undefined));
  for (let count = 0; count < 2; count += 1)
    await expect(brokerToken(gateway.url, 'eve')).rejects.toThrow();
  provider.setFault(undefined);
  expect(await series('gateway_caller_sign_ins_total')).toMatchObject({
    'result="unavailable"': 2,
  });
  const events = JSON.parse(textOf(await callTool(client, 'core_events'))) as readonly {
    readonly reason: string;
    readonly count?: number;
  }[];
  const reported = events.filter(({ reason }) => reason === 'ConfigurationProviderUnavailable');
  expect(reported).toHaveLength(1);
  expect(reported[0]?.count ?? 1).toBe(1);
});
