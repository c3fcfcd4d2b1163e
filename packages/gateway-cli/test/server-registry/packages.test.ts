import { describe, expect, it } from 'vitest';
import { install, packageOf } from './install-harness.ts';

const argsOf = (fields: object): unknown => {
  const { spec, problems } = install(packageOf(fields));
  return spec?.['args'] ?? problems;
};

const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('packages', () => {
  it('run with npx, uvx and docker, with their versions', () => {
    expect(install(packageOf({}))).toEqual({
      spec: {
        type: 'stdio',
        description: 'Demo',
        command: 'npx',
        args: ['-y', '@acme/demo@1.2.3'],
        autoStart: false,
      },
      secrets: [],
      notes: [],
    });
    expect(
      install(packageOf({ registryType: 'pypi', identifier: 'acme-demo' })).spec,
    ).toMatchObject({
      command: 'uvx',
      args: ['acme-demo==1.2.3'],
    });
    expect(
      install(packageOf({ registryType: 'oci', identifier: `ghcr.io/acme/demo@${DIGEST}` })),
    ).toMatchObject({
      spec: {
        command: 'docker',
        startTimeout: 600,
        args: ['run', '-i', '--rm', `ghcr.io/acme/demo@${DIGEST}`],
      },
      notes: [],
    });
  });

  it.each([
    [{ identifier: 'acme/demo:1.0.0' }, 'acme/demo:1.0.0'],
    [{ identifier: `acme/demo:latest@${DIGEST}` }, `acme/demo@${DIGEST}`],
    [{ identifier: 'acme/demo', version: '2.0' }, 'acme/demo:2.0'],
    [{ identifier: 'acme/demo', version: DIGEST }, `acme/demo@${DIGEST}`],
    [
      { identifier: 'acme/demo', version: '2.0', registryBaseUrl: 'https://docker.io' },
      'acme/demo:2.0',
    ],
    [
      { identifier: 'acme/demo', version: '2.0', registryBaseUrl: 'https://ghcr.io' },
      'ghcr.io/acme/demo:2.0',
    ],
    [{ identifier: 'localhost:5000/acme/demo:v1.0.0' }, 'localhost:5000/acme/demo:v1.0.0'],
  ])('an image is pinned: %j', (fields, image) => {
    expect(argsOf({ registryType: 'oci', version: undefined, ...fields })).toContain(image);
  });

  it('use the version of the server when they name none, and say so', () => {
    expect(install(packageOf({ version: undefined }))).toMatchObject({
      spec: { args: ['-y', '@acme/demo@1.2.3'] },
      notes: ['the package names no version; version 1.2.3 of the server is used'],
    });
  });

  it('say that a tag can be moved', () => {
    const image = { registryType: 'oci', identifier: 'acme/demo:1.0.0' };
    expect(install(packageOf(image)).notes).toEqual([
      'the tag "1.0.0" of an image can be moved; only a digest fixes its contents',
    ]);
  });
});

describe('versions that can change', () => {
  it.each(['latest', '^1.2.3', '1.x', '*', 'next', '>=1', '1.2', ' 1.2.3', '1.2.3 --registry=x'])(
    'npm %s',
    (version) => {
      expect(argsOf({ version })).toEqual([
        `"${version}" is not an exact version, so that it would change without notice`,
      ]);
    },
  );

  it.each(['1.0.0-evil.tgz', '1.0.0-evil.tar', '1.0.0-evil.tar.gz', '1.0.0+evil.TGZ'])(
    'npm reads %s as a file',
    (version) => {
      expect(argsOf({ version })).toEqual([
        `"${version}" is not an exact version, so that it would change without notice`,
      ]);
    },
  );

  it.each(['1.*', '>=1.0', '~=1.0', '1.0,2.0', '1.0; python_version<"3"'])('pypi %s', (version) => {
    expect(argsOf({ registryType: 'pypi', identifier: 'demo', version })).toEqual([
      `"${version}" is not an exact version, so that it would change without notice`,
    ]);
  });

  it('oci latest, as the tag or as the version', () => {
    const refusal = ['"latest" is not an exact version, so that it would change without notice'];
    const image = { registryType: 'oci', version: undefined };
    expect(argsOf({ ...image, identifier: 'acme/demo:latest' })).toEqual(refusal);
    expect(argsOf({ ...image, identifier: 'acme/demo', version: 'latest' })).toEqual(refusal);
    expect(argsOf({ ...image, identifier: 'acme/demo:latest', version: '2.0' })).toContain(
      'acme/demo:2.0',
    );
  });

  it.each(['latest', 'main'])('pypi %s', (version) => {
    expect(argsOf({ registryType: 'pypi', identifier: 'demo', version })).toEqual([
      `"${version}" is not an exact version, so that it would change without notice`,
    ]);
  });

  it.each(['main', 'stable', 'edge'])('oci %s', (tag) => {
    expect(argsOf({ registryType: 'oci', identifier: `acme/demo:${tag}` })).toEqual([
      `"${tag}" is not an exact version, so that it would change without notice`,
    ]);
  });

  it('and no version anywhere', () => {
    expect(install({ version: 'dev', ...packageOf({ version: undefined }) }).problems).toEqual([
      '"dev" is not an exact version, so that it would change without notice',
    ]);
  });
});

describe('identifiers that a program could misread', () => {
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
  ])('%s %j', (registryType, identifier) => {
    const noun = registryType === 'npm' ? 'an npm package' : 'a PyPI package';
    expect(argsOf({ registryType, identifier })).toEqual([
      `"${identifier}" is not the name of ${noun}`,
    ]);
  });

  it.each(['--privileged', 'acme/demo:1.0 --privileged', 'acme/demo@sha256:abc', 'https://a/b'])(
    'oci %j',
    (identifier) => {
      expect(argsOf({ registryType: 'oci', identifier })).toEqual([
        `"${identifier}" is not the name of a container image`,
      ]);
    },
  );
});

describe('packages that are not supported', () => {
  it.each([
    [
      { registryType: 'nuget' },
      'packages of the type nuget are not supported; npm, pypi and oci are',
    ],
    [
      { registryType: 'mcpb' },
      'packages of the type mcpb are not supported; npm, pypi and oci are',
    ],
    [
      { registryType: '__proto__' },
      'packages of the type __proto__ are not supported; npm, pypi and oci are',
    ],
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
    expect(argsOf({ registryBaseUrl: 'https://registry.npmjs.org', runtimeHint: 'node' })).toEqual([
      '-y',
      '@acme/demo@1.2.3',
    ]);
  });
});

describe('the way to run a server', () => {
  const both = {
    ...packageOf({ registryType: 'nuget' }),
    remotes: [
      { type: 'sse', url: 'https://demo.example.com/sse' },
      { type: 'streamable-http', url: 'https://demo.example.com/mcp' },
    ],
  };

  it('is the first that can be installed, Streamable HTTP before SSE', () => {
    expect(install(both).spec).toMatchObject({
      type: 'streamable-http',
      url: 'https://demo.example.com/mcp',
    });
    expect(install(both, {}, { kind: 'sse' }).spec).toMatchObject({ type: 'sse' });
  });

  it('names what there is when the wanted kind is missing', () => {
    expect(install(both, {}, { kind: 'oci' }).problems).toEqual([
      'it has no oci package or remote; it has streamable-http, sse',
    ]);
    expect(install(both, {}, { kind: 'nuget' }).problems).toEqual([
      'packages of the type nuget are not supported; npm, pypi and oci are',
    ]);
    expect(install({}).problems).toEqual(['it has no package and no remote that can be installed']);
  });
});
