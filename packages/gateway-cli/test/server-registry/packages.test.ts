import { describe, expect, it } from 'vitest';
import { install, packageOf, planArgs } from './install-harness.ts';

const packageArgs = (fields: object): unknown => planArgs(packageOf(fields));
const DIGEST = `sha256:${'a'.repeat(64)}`;
const inexact = (version: string) => [
  `"${version}" is not an exact version, so that it would change without notice`,
];

describe('packages', () => {
  it('run with npx, uvx and docker, with their versions', () => {
    const args = ['-y', '@acme/demo@1.2.3'];
    expect(install(packageOf({}))).toEqual({
      spec: { type: 'stdio', description: 'Demo', command: 'npx', args, autoStart: false },
      secrets: [],
      notes: [],
    });
    const python = packageOf({ registryType: 'pypi', identifier: 'acme-demo' });
    expect(install(python).spec).toMatchObject({ command: 'uvx', args: ['acme-demo==1.2.3'] });
    const identifier = `ghcr.io/acme/demo@${DIGEST}`;
    const run = ['run', '-i', '--rm', identifier];
    expect(install(packageOf({ registryType: 'oci', identifier }))).toMatchObject({
      spec: { command: 'docker', startTimeout: 600, args: run },
      notes: [],
    });
  });

  it.each([
    [{ identifier: 'acme/demo:1.0.0' }, 'acme/demo:1.0.0'],
    [{ identifier: `acme/demo:latest@${DIGEST}` }, `acme/demo@${DIGEST}`],
    [{ version: '2.0' }, 'acme/demo:2.0'],
    [{ version: DIGEST }, `acme/demo@${DIGEST}`],
    [{ version: '2.0', registryBaseUrl: 'https://docker.io' }, 'acme/demo:2.0'],
    [{ version: '2.0', registryBaseUrl: 'https://ghcr.io' }, 'ghcr.io/acme/demo:2.0'],
    [{ identifier: 'acme/demo:latest', version: '2.0' }, 'acme/demo:2.0'],
    [{ identifier: 'localhost:5000/acme/demo:v1.0.0' }, 'localhost:5000/acme/demo:v1.0.0'],
  ])('an image is pinned: %j', (fields, image) => {
    const plain = { registryType: 'oci', version: undefined, identifier: 'acme/demo' };
    expect(packageArgs({ ...plain, ...fields })).toContain(image);
  });

  it('use the version of the server when they name none, and say so', () => {
    expect(install(packageOf({ version: undefined }))).toMatchObject({
      spec: { args: ['-y', '@acme/demo@1.2.3'] },
      notes: ['the package names no version; version 1.2.3 of the server is used'],
    });
    const unversioned = install({ version: 'dev', ...packageOf({ version: undefined }) });
    expect(unversioned.problems).toEqual(inexact('dev'));
  });

  it('say that a tag can be moved', () => {
    const image = { registryType: 'oci', identifier: 'acme/demo:1.0.0' };
    expect(install(packageOf(image)).notes).toEqual([
      'the tag "1.0.0" of an image can be moved; only a digest fixes its contents',
    ]);
  });
});

describe('versions that can change are refused', () => {
  it.each([
    ...['latest', '^1.2.3', '1.x', '*', 'next', '>=1', '1.2', ' 1.2.3', '1.2.3 --registry=x'],
    // npm reads these as files.
    ...['1.0.0-evil.tgz', '1.0.0-evil.tar', '1.0.0-evil.tar.gz', '1.0.0+evil.TGZ'],
  ])('npm %s', (version) => {
    expect(packageArgs({ version })).toEqual(inexact(version));
  });

  it.each(['1.*', '>=1.0', '~=1.0', '1.0,2.0', '1.0; python_version<"3"', 'latest', 'main'])(
    'pypi %s',
    (version) => {
      const fields = { registryType: 'pypi', identifier: 'demo', version };
      expect(packageArgs(fields)).toEqual(inexact(version));
    },
  );

  it.each(['latest', 'main', 'stable', 'edge'])('oci %s, as the tag or as the version', (tag) => {
    const image = { registryType: 'oci', version: undefined, identifier: `acme/demo:${tag}` };
    expect(packageArgs(image)).toEqual(inexact(tag));
    expect(packageArgs({ ...image, identifier: 'acme/demo', version: tag })).toEqual(inexact(tag));
  });
});

describe('identifiers that a program could misread', () => {
  const NOUNS = { npm: 'an npm package', pypi: 'a PyPI package', oci: 'a container image' };
  it.each([
    ['npm', '--package=evil'],
    ['npm', '-c'],
    ['npm', 'a b'],
    ['npm', 'a\u0000b'],
    ['npm', 'git+https://example.com/a.git'],
    ['npm', './local'],
    ['npm', 'demo@latest'],
    ['pypi', '--from'],
    ['pypi', 'demo @ https://example.com/demo.whl'],
    ['pypi', 'git+https://example.com/demo'],
    ['oci', '--privileged'],
    ['oci', 'acme/demo:1.0 --privileged'],
    ['oci', 'acme/demo@sha256:abc'],
    ['oci', 'https://a/b'],
  ] as const)('%s %j', (registryType, identifier) => {
    const refusal = [`"${identifier}" is not the name of ${NOUNS[registryType]}`];
    expect(packageArgs({ registryType, identifier })).toEqual(refusal);
  });
});

describe('packages that are not supported', () => {
  const unsupported = (type: string) =>
    `packages of the type ${type} are not supported; npm, pypi and oci are`;

  it.each([
    [{ registryType: 'nuget' }, unsupported('nuget')],
    [{ registryType: 'mcpb' }, unsupported('mcpb')],
    [{ registryType: '__proto__' }, unsupported('__proto__')],
    [
      { transport: { type: 'sse', url: 'http://localhost:{port}' } },
      'its package serves sse itself: start it yourself, and add a server with its address',
    ],
    [
      { registryBaseUrl: 'https://evil.example.com' },
      'it is an npm package of https://evil.example.com; only the public registry is supported, so that nothing else is installed under its name',
    ],
    [
      { fileSha256: 'a'.repeat(64) },
      'it has fileSha256, and npx cannot verify the hash of the file that it downloads',
    ],
    [
      { runtimeHint: 'bunx', runtimeArguments: [{ type: 'positional', value: 'x' }] },
      'its runtimeArguments are for bunx, and the gateway would start npx',
    ],
  ])('%j', (fields, problem) => {
    expect(install(packageOf(fields)).problems).toEqual([problem]);
  });

  it('accepts the public registry by its address, and another hint without arguments', () => {
    const fields = { registryBaseUrl: 'https://registry.npmjs.org', runtimeHint: 'node' };
    expect(packageArgs(fields)).toEqual(['-y', '@acme/demo@1.2.3']);
  });

  const [sse, http] = ['https://demo.example.com/sse', 'https://demo.example.com/mcp'];
  const both = {
    ...packageOf({ registryType: 'nuget' }),
    remotes: [
      { type: 'sse', url: sse },
      { type: 'streamable-http', url: http },
    ],
  };

  it('are passed over for what can be installed, Streamable HTTP before SSE', () => {
    expect(install(both).spec).toMatchObject({ type: 'streamable-http', url: http });
    expect(install(both, {}, { kind: 'sse' }).spec).toMatchObject({ type: 'sse' });
  });

  it.each([
    [both, 'oci', 'it has no oci package or remote; it has streamable-http, sse'],
    [both, 'nuget', unsupported('nuget')],
    [{}, undefined, 'it has no package and no remote that can be installed'],
  ])(
    'are named with what there is when the wanted kind is missing: %j %s',
    (fields, kind, problem) => {
      expect(install(fields, {}, kind === undefined ? {} : { kind }).problems).toEqual([problem]);
    },
  );
});
