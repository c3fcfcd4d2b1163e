import { describe, expect, it } from 'vitest';
import { install, packageOf } from './install-harness.ts';

const positional = (value: string) => ({ type: 'positional', value });
const named = (name: string, value?: string) => ({ type: 'named', name, value });

const image = (...runtimeArguments: readonly object[]) =>
  packageOf({ registryType: 'oci', identifier: 'acme/demo:1.0.0', runtimeArguments });

const argsOf = (fields: object): unknown => {
  const { spec, problems } = install(fields);
  return spec?.['args'] ?? problems;
};

const DOCKER =
  'of docker is not permitted, because it can change what runs or remove its isolation';

describe('runtime arguments', () => {
  it('that the gateway writes itself are written once', () => {
    expect(argsOf(packageOf({ runtimeHint: 'npx', runtimeArguments: [positional('-y')] }))).toEqual(
      ['-y', '@acme/demo@1.2.3'],
    );
    expect(
      argsOf(
        image(positional('run'), named('-i'), positional('--rm'), positional('acme/demo:1.0.0')),
      ),
    ).toEqual(['run', '-i', '--rm', 'acme/demo:1.0.0']);
  });

  it('of containers keep their order, and access to this machine is noted', () => {
    const fields = image(
      named('--mount', 'type=bind,src=/data,dst=/data'),
      named('-e', 'MODE=a'),
      positional('--init'),
      named('-v', '/var/run/docker.sock:/var/run/docker.sock'),
    );
    expect(install(fields)).toMatchObject({
      spec: {
        args: [
          ...[
            'run',
            '-i',
            '--rm',
            '--mount=type=bind,src=/data,dst=/data',
            '-e',
            'MODE=a',
            '--init',
          ],
          ...['-v', '/var/run/docker.sock:/var/run/docker.sock', 'acme/demo:1.0.0'],
        ],
      },
      notes: [
        'the tag "1.0.0" of an image can be moved; only a digest fixes its contents',
        'the container gets access through --mount=type=bind,src=/data,dst=/data',
        'the container gets access through -v /var/run/docker.sock:/var/run/docker.sock',
      ],
    });
  });

  it('can be given for several values', () => {
    const mount = {
      ...named('--mount', 'type=bind,src={source},dst={target}'),
      isRepeated: true,
      variables: { source: { isRequired: true }, target: { default: '/data' } },
    };
    const { spec } = install(image(mount), { source: ['/a', '/b'], target: ['/x', '/y'] });
    expect(spec?.['args']).toContain('--mount=type=bind,src=/b,dst=/y');
    expect(install(image(mount), { source: ['/a', '/b'] }).spec?.['args']).toContain(
      '--mount=type=bind,src=/b,dst=/data',
    );
    expect(
      install(image(mount), { source: ['/a', '/b', '/c'], target: ['/x', '/y'] }).problems,
    ).toEqual(['the argument --mount has more than one value, or numbers of values that differ']);
  });

  it.each([
    [positional('--privileged'), '--privileged'],
    [named('--entrypoint', '/bin/sh'), '--entrypoint=/bin/sh'],
    [named('--cap-add', 'ALL'), '--cap-add=ALL'],
    [named('--pid', 'host'), '--pid=host'],
    [positional('evil/image:1.0'), 'evil/image:1.0'],
    [positional('--'), '--'],
    [positional('-v/:/host'), '-v/:/host'],
    [positional('-itv'), '-itv'],
    [positional('-v'), '-v'],
  ])('that remove isolation or run something else are refused: %j', (argument, shown) => {
    expect(argsOf(image(argument))).toEqual([`the runtime argument "${shown}" ${DOCKER}`]);
  });

  it('cannot hide an option behind an option that takes a value', () => {
    expect(argsOf(image(positional('-v'), positional('--privileged')))).toEqual([
      `the runtime argument "-v" ${DOCKER}`,
      `the runtime argument "--privileged" ${DOCKER}`,
    ]);
  });

  it.each([
    ['npm', 'npx', positional('--package=evil')],
    ['npm', 'npx', positional('-c')],
    ['npm', 'npx', positional('evil')],
    ['npm', 'npx', named('--registry', 'https://evil.example.com')],
    ['pypi', 'uvx', positional('--from')],
    ['pypi', 'uvx', named('--with', 'evil')],
    ['pypi', 'uvx', named('--index-url', 'https://evil.example.com')],
  ])('of %s cannot name another package: %s %j', (registryType, program, argument) => {
    const fields = packageOf({ registryType, identifier: 'demo', runtimeArguments: [argument] });
    const [problem] = install(fields).problems ?? [];
    expect(problem).toContain(`of ${program} is not permitted`);
  });

  it.each([
    named('--python', '/tmp/evil'),
    named('-p', 'evil'),
    positional('--python=./evil'),
    positional('--python='),
  ])('of uvx cannot name a program as Python: %j', (argument) => {
    const fields = { registryType: 'pypi', identifier: 'demo', runtimeHint: 'uvx' };
    const [problem] =
      install(packageOf({ ...fields, runtimeArguments: [argument] })).problems ?? [];
    expect(problem).toContain('of uvx is not permitted');
  });

  it('choose the version of Python', () => {
    const fields = { registryType: 'pypi', identifier: 'demo', runtimeHint: 'uvx' };
    expect(argsOf(packageOf({ ...fields, runtimeArguments: [named('--python', '3.12')] }))).toEqual(
      ['--python=3.12', 'demo==1.2.3'],
    );
  });
});
