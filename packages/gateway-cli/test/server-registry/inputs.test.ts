import { describe, expect, it } from 'vitest';
import { listQuestions } from '../../src/server-registry/settings.ts';
import { chooseWay } from '../../src/server-registry/plan-install.ts';
import { install, packageOf, planArgs, serverWith } from './install-harness.ts';

const variables = (...environmentVariables: readonly object[]) =>
  packageOf({ environmentVariables });
const words = (...packageArguments: readonly object[]) => packageOf({ packageArguments });
const remote = (fields: object) => ({
  remotes: [{ type: 'streamable-http', url: 'https://demo.example.com/mcp', ...fields }],
});
const SECRET = { isSecret: true, isRequired: true };
const stored = (key: string, value: string) => ({ key, value });
const reference = (key: string) => ({ name: key, secretKeyRef: { name: 'demo', key } });

describe('environment variables', () => {
  it('are the given values, then defaults; optional ones without a value are left out', () => {
    const fields = variables(
      { name: 'REGION', default: 'eu' },
      { name: 'MODE', default: 'a', choices: ['a', 'b'] },
      { name: 'OPTIONAL' },
      { name: 'FIXED', value: 'yes' },
    );
    const env = { REGION: 'eu', MODE: 'b', FIXED: 'yes' };
    expect(install(fields, { MODE: 'b' }).spec?.['env']).toEqual(env);
  });

  it('that are required must be given, secrets in a file, with and without a word of the registry', () => {
    const isRequired = true;
    const fields = variables({ name: 'API_URL', isRequired }, { name: 'B', isRequired });
    expect(install(fields).problems).toEqual([
      'the variable API_URL is required: use --set API_URL=VALUE',
      'the variable B is required: use --set B=VALUE',
    ]);
    expect(install(fields, { API_URL: 'x', B: '' }).spec?.['env']).toEqual({ API_URL: 'x', B: '' });
    const secrets = variables({ name: 'A', ...SECRET }, { name: 'GITHUB_TOKEN', isRequired });
    expect(install(secrets).problems).toEqual([
      'the variable A is required: use --set-file A=PATH',
      'the variable GITHUB_TOKEN is required: use --set-file GITHUB_TOKEN=PATH',
    ]);
  });

  it('that are secrets are in files, and their values nowhere else', () => {
    const { spec, secrets } = install(variables({ name: 'API_KEY', ...SECRET }), {
      API_KEY: 'very-secret',
    });
    expect(spec).toMatchObject({ envFrom: [reference('API_KEY')] });
    expect(secrets).toEqual([stored('API_KEY', 'very-secret')]);
    expect(JSON.stringify(spec)).not.toContain('very-secret');
  });

  it('are secrets by their names when the registry does not say so', () => {
    const installed = install(variables({ name: 'GITHUB_TOKEN' }), { GITHUB_TOKEN: 'abc' });
    expect(installed.secrets).toEqual([stored('GITHUB_TOKEN', 'abc')]);
  });

  it.each(['${env:MY_KEY}', 'Bearer ${file:secrets/mine/key}'])(
    'that refer to a variable or a file of the gateway stay references: %s',
    (value) => {
      const fields = variables({ name: 'API_KEY', isSecret: true });
      const { spec, secrets } = install(fields, { API_KEY: value });
      expect([spec?.['env'], secrets]).toEqual([{ API_KEY: value }, []]);
    },
  );

  it('have a fixed text with variables', () => {
    const fields = variables({
      name: 'DATABASE',
      value: 'postgres://{user}:{password}@db/{unknown}',
      variables: { user: { default: 'app' }, password: SECRET },
    });
    expect(install(fields, { password: 'p{user}' }).secrets).toEqual([
      stored('DATABASE', 'postgres://app:p{user}@db/{unknown}'),
    ]);
    expect(install(fields).problems).toEqual([
      'password of the variable DATABASE is required: use --set-file password=PATH',
    ]);
  });

  it('reach a container by name, so that no value is an argument', () => {
    const environmentVariables = [
      { name: 'REGION', default: 'eu' },
      { name: 'KEY', isSecret: true },
    ];
    const image = { registryType: 'oci', identifier: 'acme/demo:1.0.0' };
    expect(
      install(packageOf({ ...image, environmentVariables }), { KEY: 'abc' }).spec,
    ).toMatchObject({
      args: ['run', '-i', '--rm', '-e', 'REGION', '-e', 'KEY', 'acme/demo:1.0.0'],
      env: { REGION: 'eu' },
      envFrom: [{ name: 'KEY' }],
    });
  });

  it.each([
    ...['NODE_OPTIONS', 'GCONV_PATH', 'OPENSSL_CONF', 'PYTHONUSERBASE', 'DOTNET_STARTUP_HOOKS'],
  ])('that change what runs are not set by a registry: %s', (name) => {
    const problem = `"${name}" is a variable that can change which program or library runs, or whom it trusts; --allow environment accepts it`;
    expect(install(variables({ name, value: 'x' })).problems).toEqual([problem]);
    expect(install(variables({ name, default: 'x' })).problems).toEqual([problem]);
    const accepted = install(variables({ name, value: 'x' }), {}, { allow: ['environment'] });
    expect(accepted.spec?.['env']).toEqual({ [name]: 'x' });
    expect(install(variables({ name })).spec).not.toHaveProperty('env');
    const own = install(variables({ name }), { [name]: 'mine' });
    expect(own.spec?.['env']).toEqual({ [name]: 'mine' });
  });
});

describe('names of variables and headers', () => {
  it.each(['A B', 'A=B', '1A', 'A\nB'])('that no program can receive are refused: %j', (name) => {
    expect(install(variables({ name, value: 'x' })).problems).toEqual([
      `${JSON.stringify(name)} is not the name of a variable`,
    ]);
  });

  it('of headers have no blanks', () => {
    expect(install(remote({ headers: [{ name: 'X Key', value: 'x' }] })).problems).toEqual([
      '"X Key" is not the name of a header',
    ]);
  });
});

describe('values that are refused', () => {
  const input = (fields: object) => variables({ name: 'A', ...fields });
  const SEVERAL = 'the variable A has more than one value, or numbers of values that differ';

  it.each([
    [input({ choices: ['x', 'y'] }), { A: 'z' }, 'the variable A must be one of x, y'],
    [input({ format: 'number' }), { A: '1e' }, 'the variable A must be a number'],
    [input({ format: 'boolean' }), { A: 'yes' }, 'the variable A must be a boolean'],
    [input({}), { A: 'a\0b' }, 'the value of the variable A contains a NUL character'],
    [input({ default: 'a\0b' }), {}, 'the value of the variable A contains a NUL character'],
    [input({}), { A: ['1', '2'] }, SEVERAL],
    [input({}), { B: '1' }, 'it has no setting "B"; it has A'],
    [words(), { B: '1' }, 'it has no setting "B", and no other'],
    [input({ value: 'x' }), { A: '1' }, 'it has no setting "A", and no other'],
  ])('%j %j', (fields, answers, problem) => {
    expect(install(fields, answers).problems).toEqual([problem]);
  });

  const SPLIT = { x: { value: '$' }, y: { default: '{env:HOME}' } };
  it.each([
    input({ value: '${file:/etc/passwd}' }),
    input({ default: '${env:HOME}' }),
    input({ value: '{x}{y}', variables: SPLIT }),
    words({ type: 'positional', value: '${env:HOME}' }),
    remote({ url: 'https://example.com/${env:SECRET}' }),
    remote({ headers: [{ name: 'X', value: 'a ${env:SECRET}' }] }),
  ])('placeholders of the gateway in texts of the registry: %j', (fields) => {
    expect(install(fields).problems?.[0]).toMatch(
      /^the registry's text for .* contains "\$\{", which the gateway would/u,
    );
  });
});

describe('arguments', () => {
  const readArgs = (fields: object, answers?: Parameters<typeof install>[1]) =>
    (planArgs(fields, answers) as readonly string[]).slice(2);

  it('are options with their values in one word, words of their own, and options alone', () => {
    const fields = words(
      { type: 'positional', value: 'serve' },
      { type: 'positional', value: '--stdio' },
      { type: 'named', name: '--port', default: '80', format: 'number' },
      { type: 'named', name: '-r', value: 'eu' },
      { type: 'named', name: '--verbose' },
      { type: 'named', name: '--log', description: 'the file of the log' },
      { type: 'positional', valueHint: 'directory', isRequired: true, isRepeated: true },
    );
    expect(readArgs(fields, { directory: ['/a', '/b c'] })).toEqual([
      ...['serve', '--stdio', '--port=80', '-r', 'eu', '--verbose', '/a', '/b c'],
    ]);
    expect(readArgs(fields, { directory: '/a', log: 'x', port: '-1' })).toEqual([
      ...['serve', '--stdio', '--port=-1', '-r', 'eu', '--verbose', '--log=x', '/a'],
    ]);
    expect(readArgs(fields, { directory: '/a', log: '' })).toContain('--log');
  });

  it('with secrets name files', () => {
    const fields = words({ type: 'named', name: '--api-key', ...SECRET });
    expect(install(fields, { 'api-key': 'abc' })).toMatchObject({
      spec: { args: ['-y', '@acme/demo@1.2.3', '--api-key=${file:secrets/demo/api-key}'] },
      secrets: [stored('api-key', 'abc')],
    });
  });

  it('of a user and of defaults cannot be options', () => {
    const problem = (name: string) => [
      `the value of the argument ${name} begins with "-", so that the program would read it as an option`,
    ];
    const directory = { type: 'positional', valueHint: 'directory' };
    const number = words({ ...directory, format: 'number' });
    expect(planArgs(words(directory), { directory: '--inspect' })).toEqual(problem('directory'));
    expect(planArgs(words({ ...directory, default: '-x' }))).toEqual(problem('directory'));
    expect(readArgs(number, { directory: '-5' })).toEqual(['-5']);
    expect(planArgs(words({ type: 'named', name: '-f' }), { f: '--x' })).toEqual(problem('-f'));
  });

  it.each(['--a b', '--a=b', '---a', '-', ' -a'])('have plain names: %j', (name) => {
    const refusal = [`"${name}" is not the name of an option`];
    expect(planArgs(words({ type: 'named', name, value: 'x' }))).toEqual(refusal);
  });
});

describe('remotes', () => {
  it('have addresses with variables, and headers whose secrets are in files', () => {
    const authorization = { name: 'Authorization', value: 'Bearer {token}' };
    const fields = remote({
      url: 'https://{tenant}.example.com/mcp?key={key}',
      variables: { tenant: { isRequired: true }, key: SECRET },
      headers: [
        { ...authorization, variables: { token: SECRET } },
        { name: 'X-Region', default: 'eu' },
        { name: 'X-Trace' },
      ],
    });
    expect(install(fields, { tenant: 'acme', key: 'k1', token: 't1' })).toEqual({
      spec: {
        type: 'streamable-http',
        description: 'Demo',
        autoStart: false,
        url: 'https://acme.example.com/mcp?key=${file:secrets/demo/key}',
        headers: { 'X-Region': 'eu' },
        headersFrom: [reference('Authorization')],
      },
      secrets: [stored('Authorization', 'Bearer t1'), stored('key', 'k1')],
      notes: [],
    });
    expect(install(fields).problems).toEqual([
      'tenant of the address is required: use --set tenant=VALUE',
      'key of the address is required: use --set-file key=PATH',
      'token of the header Authorization is required: use --set-file token=PATH',
    ]);
  });

  const REASONS = {
    address: 'is an address of this machine, of its network or of the metadata of a cloud',
    'plain-http': 'sends calls and headers without encryption',
  };
  it.each([
    ['http://169.254.169.254', '/', ['address', 'plain-http']],
    ['https://metadata.google.internal', '/', ['address']],
    ['http://localhost:8080', '/mcp', ['address', 'plain-http']],
    ['https://[::1]', '/mcp', ['address']],
    ['https://kubernetes.default.svc', '/mcp', ['address']],
    ['http://demo.example.com', '/mcp', ['plain-http']],
  ] as const)(
    'of this machine or network, and without TLS, are refused: %s%s',
    (origin, path, allow) => {
      const url = origin + path;
      expect(install(remote({ url })).problems).toEqual(
        allow.map((risk) => `"${origin}" ${REASONS[risk]}; --allow ${risk} accepts it`),
      );
      expect(install(remote({ url }), {}, { allow }).spec).toMatchObject({ url, autoStart: false });
    },
  );

  it('with credentials are refused', () => {
    const allow = ['address', 'plain-http', 'runtime', 'environment', 'container'] as const;
    const fields = remote({ url: 'https://me:pw@demo.example.com/mcp' });
    expect(install(fields, {}, { allow }).problems).toEqual([
      'its address contains a user or a password: no registry may choose the credentials that the gateway sends',
    ]);
  });

  it('start with the gateway when a user says so, unless their risk was accepted', () => {
    expect(install(remote({}), {}, { start: true }).spec).toMatchObject({ autoStart: true });
    const risky = remote({ url: 'https://10.0.0.1/mcp' });
    const { spec } = install(risky, {}, { start: true, allow: ['address'] });
    expect(spec).toMatchObject({ autoStart: false });
  });
});

it('the questions are the values that a user can give, each name once', () => {
  const region = { description: 'Where', default: 'eu', choices: ['eu', 'us'] };
  const fixed = { value: '1' };
  const fields = packageOf({
    environmentVariables: [
      { name: 'REGION', ...region },
      { name: 'A', value: 'x {token}', variables: { token: { isRequired: false } } },
      { name: 'B', value: 'y {token} {fixed}', variables: { token: SECRET, fixed } },
    ],
    packageArguments: [
      { type: 'named', name: '--port', format: 'number', placeholder: '8080' },
      { type: 'positional', value: 'serve' },
      { type: 'positional', isRequired: true },
    ],
  });
  const chosen = chooseWay(serverWith(fields));
  expect(chosen.ok && listQuestions(chosen.way)).toMatchObject([
    { key: 'REGION', isRequired: false, isSecret: false, label: 'the variable REGION', ...region },
    { key: 'token', isRequired: true, isSecret: true },
    { key: 'port', isRequired: false, isSecret: false },
    { key: 'argument-3', isRequired: true, isSecret: false },
  ]);
});
