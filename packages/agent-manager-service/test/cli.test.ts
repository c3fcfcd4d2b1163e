import { describe, expect, it } from 'vitest';
import { runCli } from '../src/index.ts';

async function run(...args: readonly string[]) {
  const printed = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof printed) => ({
    write: (text: string) => {
      printed[name] += text;
    },
  });
  const io = { stdout: stream('stdout'), stderr: stream('stderr'), env: {} };
  const serve = () => Promise.reject(new Error('nothing is served here'));
  return { code: await runCli(args, io, { version: '0.4.0', serve }), ...printed };
}

const refused = (problem: string) => ({
  code: 2,
  stdout: '',
  stderr: `error: ${problem}\nRun with --help for a list of commands and options.\n`,
});

describe('the command line', () => {
  it('prints its version', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: '0.4.0\n', stderr: '' });
  });

  it('explains every option', async () => {
    const { code, stdout } = await run('serve', '--help');
    expect(code).toBe(0);
    const more = ['--namespaces <namespaces>', '--allowed-hosts <hosts>'];
    for (const option of ['--store <dir>', '--kubernetes', ...more])
      expect(stdout).toContain(option);
  });

  const OAUTH = '--store /a --enable-oauth --oauth-config /b';
  it.each([
    ['', "one of the options '--store <dir>' and '--kubernetes' is needed"],
    ['--store /a --kubernetes', "option '--store <dir>' cannot be used with option '--kubernetes'"],
    ['--store /a --kubeconfig /b', "option '--kubeconfig <file>' needs the option '--kubernetes'"],
    [
      '--store /a --enable-oauth',
      "option '--enable-oauth' needs one of the options '--oauth-issuer <url>' and '--oauth-config <file>'",
    ],
    [
      '--store /a --oauth-issuer https://login.example.com',
      "option '--oauth-issuer <url>' needs the option '--enable-oauth'",
    ],
    [
      '--kubernetes --downstream-oauth',
      "option '--downstream-oauth' needs the option '--enable-oauth'",
    ],
    [`${OAUTH} --downstream-oauth`, "option '--downstream-oauth' needs the option '--kubernetes'"],
    [
      `${OAUTH} --port 0`,
      "option '--enable-oauth' needs the option '--public-url <url>' when the port is 0",
    ],
    [
      '--oauth-issuer https://login.example.com --oauth-config /b',
      "option '--oauth-issuer <url>' cannot be used with option '--oauth-config <file>'",
    ],
    ['--colour red', "unknown option '--colour'"],
    ['--store /a more', "too many arguments for 'serve'. Expected 0 arguments but got 1: more."],
  ])('refuses serve %s', async (args, problem) => {
    expect(await run('serve', ...args.split(' ').filter(Boolean))).toEqual(refused(problem));
  });

  const PORT = 'It must be a whole number from 0 to 65535.';
  it.each([
    ['--store <dir>', '', 'It must not be empty.'],
    ['--port <port>', '65536', PORT],
    ['--port <port>', '1e3', PORT],
    ['--namespaces <namespaces>', 'a,', 'An entry of the list is empty.'],
    ['--namespaces <namespaces>', 'a,B', '"B" is not a valid namespace name.'],
    ['--namespaces <namespaces>', 'a,a', 'A namespace is listed twice.'],
    [
      '--chart-url <url>',
      'https://x/charts/agent',
      'It must be the address of a chart such as oci://registry.example.com/charts/agent.',
    ],
    [
      '--chart-semver <range>',
      'latest',
      'It must be a range of versions such as x.x.x or >=0.6.0 <1.0.0.',
    ],
    ['--helmrelease-interval <duration>', '10', 'It must be a duration such as 10m or 1h30m.'],
    ['--service-account-name <name>', 'A', 'It must be the name of a ServiceAccount.'],
    [
      '--log-level <level>',
      'loud',
      'Allowed choices are trace, debug, info, warn, error, fatal, silent.',
    ],
  ])('refuses serve %s with %j', async (option, value, rule) => {
    const problem = `option '${option}' argument '${value}' is invalid. ${rule}`;
    expect(await run('serve', option.split(' ')[0] ?? '', value)).toEqual(refused(problem));
  });

  it('fails with exit code 1 and the reason when serving fails', async () => {
    expect(await run('serve', '--store', 'releases')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'agent-manager: nothing is served here\n',
    });
  });
});
