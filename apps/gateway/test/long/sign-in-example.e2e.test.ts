import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryAssertion } from '@gateway/repo-checks';
import { CookieBrowser, signIn } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { REPOSITORY, startSignInExample } from '../harness/example-copy.ts';
import { SERVER_ENV } from '../harness/gateway.ts';
import { setUp } from '../harness/lifetime.ts';
import { startNode, type RunningProcess } from '../harness/process.ts';
import { testFolder } from '../harness/program-result.ts';

const env = { ...SERVER_ENV, XDG_CONFIG_HOME: testFolder(), GATEWAY_KEYRING: 'off' };
let example: Awaited<ReturnType<typeof startSignInExample>>;

setUp(async () => {
  example = await startSignInExample();
  await example.line((line) => line.startsWith('Or point any MCP client'));
});

const TUTORIAL = readFileSync(join(REPOSITORY, 'docs/tutorials/sign-in.md'), 'utf8');
const DOCUMENTED_URL = 'http://127.0.0.1:8090';

/** Starts the one printed command that contains a text. */
const printed = (part: string, ...more: readonly string[]): RunningProcess => {
  const [line, ...others] = example.stdout.filter((text) => text.includes(part));
  const [node, ...args] = line?.trim().split(' ') ?? [];
  if (node !== 'node' || others.length > 0) throw new Error(example.stdout.join('\n'));
  return startNode([...args, ...more], { env, cwd: REPOSITORY });
};

const output = async (running: RunningProcess): Promise<string> => {
  const { code } = await running.exited;
  return `${String(code)} ${[...running.stdout, ...running.stderr].join('\n')}`;
};

it('prints the users and the commands of the tutorial', () => {
  const commands = example.stdout.filter((line) => line.startsWith('  node '));
  const documented = TUTORIAL.split('\n').filter((line) => line.startsWith('node '));
  expect(documented).toEqual(
    commands.map((line) => line.trim().replace(example.url, DOCUMENTED_URL)),
  );
  expect(TUTORIAL).toMatch(/`alice` +\| `wonderland`/u);
  expect(TUTORIAL).toMatch(/`bob` +\| `builder`/u);
});

it('serves the portal and agent-manager too, and names the program of each line of the logs', async () => {
  const [portal = ''] = example.stdout.flatMap(
    (line) => /^Open the portal .*: (\S+)$/u.exec(line)?.[1] ?? [],
  );
  const session = await (await fetch(new URL('session', portal))).json();
  expect(session).toMatchObject({ signInRequired: true, hasAgentManager: true });
  const start = await fetch(new URL('auth/start', portal), { redirect: 'manual' });
  expect(start.headers.get('location')).toContain(`${example.url}/oauth/authorize?`);
  const named = example.stderr.filter((line) =>
    /^(?:provider|agent-manager|gateway|portal) +\| /u.test(line),
  );
  expect(example.stderr).toEqual(named);
  expect(named.join('\n')).toContain('gateway       | ');
});

it('signs a printed user in to the gateway and to the diary, with the printed commands', async () => {
  const users = example.stdout.flatMap(
    (line) => /^ {2}(\w+), password (\w+) /u.exec(line)?.slice(1, 3) ?? [],
  );
  const [name = '', password = ''] = users;
  expect(users).toEqual(['alice', 'wonderland', 'bob', 'builder']);

  const browser = new CookieBrowser();
  const login = printed(' auth login ', '--no-browser');
  const link = await login.line((line) => line.startsWith('http'));
  await signIn(link, { name, password }, { browser });
  expect(await output(login)).toContain('0 ');

  const asked = await output(printed('core_auth_login'));
  const url = /http\S+/u.exec(asked)?.[0];
  expect(url, asked).toContain(example.url);
  const page = await signIn(url ?? '', { name, password }, { browser });
  expect(page.status, page.text).toBe(200);

  await retryAssertion(async () => {
    expect(await output(printed('x_diary_write'))).toBe('0 Written to the diary of alice.');
  });
  expect(await output(printed('core_auth_login'))).toContain('already authenticated');
  expect(await output(printed('servers restart'))).toContain('Successfully restarted');
});
