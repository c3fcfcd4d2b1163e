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

const RUNTIME = 'can change what runs, or where it comes from; --allow runtime accepts it';
const CONTAINER =
  'gives the container access to this machine, or removes its isolation; --allow container accepts it';

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

  it('of containers keep their order, and access to this machine is accepted by name only', () => {
    const fields = image(
      named('--mount', 'type=bind,src=/data,dst=/data'),
      named('-e', 'MODE=a'),
      positional('--init'),
      named('-v', '/var/run/docker.sock:/var/run/docker.sock'),
    );
    expect(install(fields).problems).toEqual([
      `"--mount type=bind,src=/data,dst=/data" ${CONTAINER}`,
      `"-v /var/run/docker.sock:/var/run/docker.sock" ${CONTAINER}`,
    ]);
    expect(install(fields, {}, { allow: ['container'] })).toMatchObject({
      spec: {
        args: [
          ...['run', '-i', '--rm', '--mount=type=bind,src=/data,dst=/data'],
          ...['-e', 'MODE=a', '--init'],
          ...['-v', '/var/run/docker.sock:/var/run/docker.sock', 'acme/demo:1.0.0'],
        ],
        autoStart: false,
      },
      notes: ['the tag "1.0.0" of an image can be moved; only a digest fixes its contents'],
    });
  });

  it.each([
    [named('-v', '/:/host'), '-v /:/host'],
    [named('--network', 'container:other'), '--network container:other'],
    [positional('--privileged'), '--privileged'],
  ])('that reach beyond the container are refused, and accepted by name: %j', (argument, part) => {
    expect(argsOf(image(argument))).toEqual([`"${part}" ${CONTAINER}`]);
    expect(install(image(argument), {}, { allow: ['container'] }).problems).toBeUndefined();
    expect(install(image(argument), {}, { allow: ['runtime'] }).problems).toEqual([
      `"${part}" ${CONTAINER}`,
    ]);
  });

  it.each([named('--network', 'none'), named('-u', '1000:1000')])(
    'that restrict the container are permitted: %j',
    (argument) => {
      expect(install(image(argument)).problems).toBeUndefined();
    },
  );

  it('can be given for several values', () => {
    const mount = {
      ...named('--mount', 'type=bind,src={source},dst={target}'),
      isRepeated: true,
      variables: { source: { isRequired: true }, target: { default: '/data' } },
    };
    const allow = ['container'] as const;
    const given = { source: ['/a', '/b'], target: ['/x', '/y'] };
    const { spec } = install(image(mount), given, { allow });
    expect(spec?.['args']).toContain('--mount=type=bind,src=/b,dst=/y');
    expect(install(image(mount), { source: ['/a', '/b'] }, { allow }).spec?.['args']).toContain(
      '--mount=type=bind,src=/b,dst=/data',
    );
    expect(
      install(image(mount), { ...given, source: ['/a', '/b', '/c'] }, { allow }).problems,
    ).toEqual(['the argument --mount has more than one value, or numbers of values that differ']);
  });

  it.each([
    [named('--entrypoint', '/bin/sh'), '--entrypoint=/bin/sh'],
    [named('--env-file', '/etc/shadow'), '--env-file=/etc/shadow'],
    [positional('evil/image:1.0'), 'evil/image:1.0'],
    [positional('--'), '--'],
    [positional('-v/:/host'), '-v/:/host'],
    [positional('-itv'), '-itv'],
    [positional('-v'), '-v'],
  ])('that are not known are refused: %j', (argument, shown) => {
    expect(argsOf(image(argument))).toContain(`"${shown}" ${RUNTIME}`);
  });

  it('cannot hide access to this machine in a word that is accepted for another reason', () => {
    const allow = ['runtime'] as const;
    for (const [argument, shown] of [
      [positional('-v/:/host'), '-v /:/host'],
      [positional('-itv/:/host'), '-v /:/host'],
      [named('--entrypoint', '/bin/sh'), '--entrypoint /bin/sh'],
    ] as const)
      expect(install(image(argument), {}, { allow }).problems).toEqual([`"${shown}" ${CONTAINER}`]);
  });

  it('cannot hide an option behind an option that takes a value', () => {
    expect(argsOf(image(positional('-v'), positional('--privileged')))).toEqual([
      `"-v" ${RUNTIME}`,
      `"-v --privileged" ${CONTAINER}`,
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
    expect(install(fields).problems).toContainEqual(expect.stringContaining(RUNTIME));
    const { spec } = install(fields, {}, { allow: ['runtime'] });
    expect(spec).toMatchObject({ command: program, autoStart: false });
  });

  it.each([
    named('--python', '/tmp/evil'),
    named('-p', 'evil'),
    positional('--python=./evil'),
    positional('--python='),
  ])('of uvx cannot name a program as Python: %j', (argument) => {
    const fields = { registryType: 'pypi', identifier: 'demo', runtimeHint: 'uvx' };
    expect(install(packageOf({ ...fields, runtimeArguments: [argument] })).problems).toContainEqual(
      expect.stringContaining(RUNTIME),
    );
  });

  it('choose the version of Python', () => {
    const fields = { registryType: 'pypi', identifier: 'demo', runtimeHint: 'uvx' };
    expect(argsOf(packageOf({ ...fields, runtimeArguments: [named('--python', '3.12')] }))).toEqual(
      ['--python=3.12', 'demo==1.2.3'],
    );
  });
});
