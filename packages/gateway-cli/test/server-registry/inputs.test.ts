import { describe, expect, it } from 'vitest';
import { listQuestions } from '../../src/server-registry/settings.ts';
import { chooseWay } from '../../src/server-registry/plan-install.ts';
import { install, packageOf, serverWith } from './install-harness.ts';

const variables = (...environmentVariables: readonly object[]) =>
  packageOf({ environmentVariables });
const words = (...packageArguments: readonly object[]) => packageOf({ packageArguments });
const remote = (fields: object) => ({
  remotes: [{ type: 'streamable-http', url: 'https://demo.example.com/mcp', ...fields }],
});

const questionsFor = (fields: object) => {
  const chosen = chooseWay(serverWith(fields));
  return chosen.ok ? listQuestions(chosen.way) : [];
};

describe('environment variables', () => {
  it('are the given values, then defaults; optional ones without a value are left out', () => {
    const fields = variables(
      { name: 'REGION', default: 'eu' },
      { name: 'MODE', default: 'a', choices: ['a', 'b'] },
      { name: 'OPTIONAL' },
      { name: 'FIXED', value: 'yes' },
    );
    expect(install(fields, { MODE: 'b' }).spec?.['env']).toEqual({
      REGION: 'eu',
      MODE: 'b',
      FIXED: 'yes',
    });
  });

  it('that are required must be given', () => {
    const fields = variables(
      { name: 'API_URL', isRequired: true },
      { name: 'B', isRequired: true },
    );
    expect(install(fields).problems).toEqual([
      'the variable API_URL is required: use --set API_URL=VALUE',
      'the variable B is required: use --set B=VALUE',
    ]);
    expect(install(fields, { API_URL: 'x', B: '' }).spec?.['env']).toEqual({ API_URL: 'x', B: '' });
  });

  it('that are required and secret are given in a file, with and without a word of the registry', () => {
    const fields = variables(
      { name: 'A', isRequired: true, isSecret: true },
      { name: 'GITHUB_TOKEN', isRequired: true },
    );
    expect(install(fields).problems).toEqual([
      'the variable A is required: use --set-file A=PATH',
      'the variable GITHUB_TOKEN is required: use --set-file GITHUB_TOKEN=PATH',
    ]);
  });

  it('that are secrets are in files, and their values nowhere else', () => {
    const fields = variables({ name: 'API_KEY', isRequired: true, isSecret: true });
    const installed = install(fields, { API_KEY: 'very-secret' });
    expect(installed.spec).toMatchObject({
      envFrom: [{ name: 'API_KEY', secretKeyRef: { name: 'demo', key: 'API_KEY' } }],
    });
    expect(installed.secrets).toEqual([{ path: 'secrets/demo/API_KEY', value: 'very-secret' }]);
    expect(JSON.stringify(installed.spec)).not.toContain('very-secret');
  });

  it('are secrets by their names when the registry does not say so', () => {
    const installed = install(variables({ name: 'GITHUB_TOKEN' }), { GITHUB_TOKEN: 'abc' });
    expect(installed.secrets).toEqual([{ path: 'secrets/demo/GITHUB_TOKEN', value: 'abc' }]);
  });

  it('that refer to a variable of the gateway stay references', () => {
    const fields = variables({ name: 'API_KEY', isSecret: true });
    const installed = install(fields, { API_KEY: '${env:MY_KEY}' });
    expect(installed.spec?.['env']).toEqual({ API_KEY: '${env:MY_KEY}' });
    expect(installed.secrets).toEqual([]);
    const part = install(fields, { API_KEY: 'Bearer ${file:secrets/mine/key}' });
    expect(part.spec?.['env']).toEqual({ API_KEY: 'Bearer ${file:secrets/mine/key}' });
  });

  it('have a fixed text with variables', () => {
    const fields = variables({
      name: 'DATABASE',
      value: 'postgres://{user}:{password}@db/{unknown}',
      variables: { user: { default: 'app' }, password: { isSecret: true, isRequired: true } },
    });
    expect(install(fields, { password: 'p{user}' }).secrets).toEqual([
      { path: 'secrets/demo/DATABASE', value: 'postgres://app:p{user}@db/{unknown}' },
    ]);
    expect(install(fields).problems).toEqual([
      'password of the variable DATABASE is required: use --set-file password=PATH',
    ]);
  });

  it('reach a container by name, so that no value is an argument', () => {
    const fields = packageOf({
      registryType: 'oci',
      identifier: 'acme/demo:1.0.0',
      environmentVariables: [
        { name: 'REGION', default: 'eu' },
        { name: 'KEY', isSecret: true },
      ],
    });
    expect(install(fields, { KEY: 'abc' }).spec).toMatchObject({
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
    const allow = ['environment'] as const;
    expect(install(variables({ name, value: 'x' }), {}, { allow }).spec?.['env']).toEqual({
      [name]: 'x',
    });
    expect(install(variables({ name })).spec).not.toHaveProperty('env');
    expect(install(variables({ name }), { [name]: 'mine' }).spec?.['env']).toEqual({
      [name]: 'mine',
    });
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

  it.each([
    [input({ choices: ['x', 'y'] }), { A: 'z' }, 'the variable A must be one of x, y'],
    [input({ format: 'number' }), { A: '1e' }, 'the variable A must be a number'],
    [input({ format: 'boolean' }), { A: 'yes' }, 'the variable A must be a boolean'],
    [input({}), { A: 'a\0b' }, 'the value of the variable A contains a NUL character'],
    [input({ default: 'a\0b' }), {}, 'the value of the variable A contains a NUL character'],
    [
      input({}),
      { A: ['1', '2'] },
      'the variable A has more than one value, or numbers of values that differ',
    ],
    [input({}), { B: '1' }, 'it has no setting "B"; it has A'],
    [words(), { B: '1' }, 'it has no setting "B", and no other'],
    [input({ value: 'x' }), { A: '1' }, 'it has no setting "A", and no other'],
  ])('%j %j', (fields, answers, problem) => {
    expect(install(fields, answers).problems).toEqual([problem]);
  });

  it.each([
    variables({ name: 'A', value: '${file:/etc/passwd}' }),
    variables({ name: 'A', default: '${env:HOME}' }),
    variables({
      name: 'A',
      value: '{x}{y}',
      variables: { x: { value: '$' }, y: { default: '{env:HOME}' } },
    }),
    words({ type: 'positional', value: '${env:HOME}' }),
    remote({ url: 'https://example.com/${env:SECRET}' }),
    remote({ headers: [{ name: 'X', value: 'a ${env:SECRET}' }] }),
  ])('placeholders of the gateway in texts of the registry: %j', (fields) => {
    const [problem] = install(fields).problems ?? [];
    expect(problem).toMatch(
      /^the registry's text for .* contains "\$\{", which the gateway would/u,
    );
  });
});

describe('arguments', () => {
  const argsOf = (fields: object, answers?: Parameters<typeof install>[1]) => {
    const { spec, problems } = install(fields, answers);
    const args = spec?.['args'];
    return Array.isArray(args) ? args.slice(2) : problems;
  };

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
    expect(argsOf(fields, { directory: ['/a', '/b c'] })).toEqual([
      ...['serve', '--stdio', '--port=80', '-r', 'eu', '--verbose', '/a', '/b c'],
    ]);
    expect(argsOf(fields, { directory: '/a', log: 'x', port: '-1' })).toEqual([
      ...['serve', '--stdio', '--port=-1', '-r', 'eu', '--verbose', '--log=x', '/a'],
    ]);
    expect(argsOf(fields, { directory: '/a', log: '' })).toContain('--log');
  });

  it('with secrets name files', () => {
    const fields = words({ type: 'named', name: '--api-key', isSecret: true, isRequired: true });
    expect(install(fields, { 'api-key': 'abc' })).toMatchObject({
      spec: { args: ['-y', '@acme/demo@1.2.3', '--api-key=${file:secrets/demo/api-key}'] },
      secrets: [{ path: 'secrets/demo/api-key', value: 'abc' }],
    });
  });

  it('of a user and of defaults cannot be options', () => {
    const problem =
      'the value of the argument directory begins with "-", so that the program would read it as an option';
    const directory = { type: 'positional', valueHint: 'directory' };
    expect(argsOf(words(directory), { directory: '--inspect' })).toEqual([problem]);
    expect(argsOf(words({ ...directory, default: '-x' }))).toEqual([problem]);
    expect(argsOf(words({ ...directory, format: 'number' }), { directory: '-5' })).toEqual(['-5']);
    expect(argsOf(words({ type: 'named', name: '-f' }), { f: '--x' })).toEqual([
      'the value of the argument -f begins with "-", so that the program would read it as an option',
    ]);
  });

  it.each(['--a b', '--a=b', '---a', '', ' -a'])('have plain names: %j', (name) => {
    const fields = words({ type: 'named', name: name === '' ? '-' : name, value: 'x' });
    expect(argsOf(fields)).toEqual([`"${name === '' ? '-' : name}" is not the name of an option`]);
  });
});

describe('remotes', () => {
  it('have addresses with variables, and headers whose secrets are in files', () => {
    const fields = remote({
      url: 'https://{tenant}.example.com/mcp?key={key}',
      variables: { tenant: { isRequired: true }, key: { isSecret: true, isRequired: true } },
      headers: [
        {
          name: 'Authorization',
          value: 'Bearer {token}',
          variables: { token: { isSecret: true, isRequired: true } },
        },
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
        headersFrom: [
          { name: 'Authorization', secretKeyRef: { name: 'demo', key: 'Authorization' } },
        ],
      },
      secrets: [
        { path: 'secrets/demo/Authorization', value: 'Bearer t1' },
        { path: 'secrets/demo/key', value: 'k1' },
      ],
      notes: [],
    });
    expect(install(fields).problems).toEqual([
      'tenant of the address is required: use --set tenant=VALUE',
      'key of the address is required: use --set-file key=PATH',
      'token of the header Authorization is required: use --set-file token=PATH',
    ]);
  });

  it.each([
    ['http://169.254.169.254/', 'http://169.254.169.254', ['address', 'plain-http']],
    ['https://metadata.google.internal/', 'https://metadata.google.internal', ['address']],
    ['http://localhost:8080/mcp', 'http://localhost:8080', ['address', 'plain-http']],
    ['https://[::1]/mcp', 'https://[::1]', ['address']],
    ['https://kubernetes.default.svc/mcp', 'https://kubernetes.default.svc', ['address']],
    ['http://demo.example.com/mcp', 'http://demo.example.com', ['plain-http']],
  ] as const)(
    'of this machine or network, and without TLS, are refused: %s',
    (url, part, allow) => {
      const reasons = {
        address: 'is an address of this machine, of its network or of the metadata of a cloud',
        'plain-http': 'sends calls and headers without encryption',
      };
      expect(install(remote({ url })).problems).toEqual(
        allow.map((risk) => `"${part}" ${reasons[risk]}; --allow ${risk} accepts it`),
      );
      expect(install(remote({ url }), {}, { allow }).spec).toMatchObject({ url, autoStart: false });
    },
  );

  it('with credentials are refused', () => {
    const allow = ['address', 'plain-http', 'runtime', 'environment', 'container'] as const;
    expect(
      install(remote({ url: 'https://me:pw@demo.example.com/mcp' }), {}, { allow }).problems,
    ).toEqual([
      'its address contains a user or a password: no registry may choose the credentials that the gateway sends',
    ]);
  });

  it('start with the gateway when a user says so', () => {
    const fields = remote({ url: 'https://demo.example.com/mcp' });
    expect(install(fields, {}, { start: true }).spec).toMatchObject({ autoStart: true });
    const risky = remote({ url: 'https://10.0.0.1/mcp' });
    expect(install(risky, {}, { start: true, allow: ['address'] }).spec).toMatchObject({
      autoStart: false,
    });
  });
});

describe('questions', () => {
  it('are the values that a user can give, each name once', () => {
    const token = { isSecret: true, isRequired: true };
    const fields = packageOf({
      environmentVariables: [
        { name: 'REGION', description: 'Where', default: 'eu', choices: ['eu', 'us'] },
        { name: 'A', value: 'x {token}', variables: { token: { isRequired: false } } },
        { name: 'B', value: 'y {token} {fixed}', variables: { token, fixed: { value: '1' } } },
      ],
      packageArguments: [
        { type: 'named', name: '--port', format: 'number', placeholder: '8080' },
        { type: 'positional', value: 'serve' },
        { type: 'positional', isRequired: true },
      ],
    });
    expect(
      questionsFor(fields).map(({ key, isRequired, isSecret }) => [key, isRequired, isSecret]),
    ).toEqual([
      ['REGION', false, false],
      ['token', true, true],
      ['port', false, false],
      ['argument-3', true, false],
    ]);
    expect(questionsFor(fields)[0]).toMatchObject({
      ...{
        label: 'the variable REGION',
        description: 'Where',
        default: 'eu',
        choices: ['eu', 'us'],
      },
    });
  });
});
