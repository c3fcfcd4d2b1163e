import { describe, expect, it } from 'vitest';
import { install, packageOf, planArgs } from './install-harness.ts';

const positional = (value: string) => ({ type: 'positional', value });
const named = (name: string, value?: string) => ({ type: 'named', name, value });

const image = (...runtimeArguments: readonly object[]) =>
  packageOf({ registryType: 'oci', identifier: 'acme/demo:1.0.0', runtimeArguments });
const python = (argument: object) =>
  packageOf({ registryType: 'pypi', identifier: 'demo', runtimeArguments: [argument] });

const RUNTIME = 'can change what runs, or where it comes from; --allow runtime accepts it';
const CONTAINER =
  'gives the container access to this machine, or removes its isolation; --allow container accepts it';

describe('runtime arguments', () => {
  it('that the gateway writes itself are written once', () => {
    const node = packageOf({ runtimeHint: 'npx', runtimeArguments: [positional('-y')] });
    expect(planArgs(node)).toEqual(['-y', '@acme/demo@1.2.3']);
    const [run, rm, name] = ['run', '--rm', 'acme/demo:1.0.0'].map(positional);
    expect(planArgs(image(run ?? {}, named('-i'), rm ?? {}, name ?? {}))).toEqual([
      ...['run', '-i', '--rm', 'acme/demo:1.0.0'],
    ]);
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
    const { spec, notes } = install(fields, {}, { allow: ['container'] });
    expect(spec).toMatchObject({ autoStart: false });
    expect(spec?.['args']).toEqual([
      ...['run', '-i', '--rm', '--mount=type=bind,src=/data,dst=/data', '-e', 'MODE=a', '--init'],
      ...['-v', '/var/run/docker.sock:/var/run/docker.sock', 'acme/demo:1.0.0'],
    ]);
    expect(notes).toEqual([
      'the tag "1.0.0" of an image can be moved; only a digest fixes its contents',
    ]);
  });

  it.each([
    [named('-v', '/:/host'), '-v /:/host'],
    [named('--network', 'container:other'), '--network container:other'],
    [positional('--privileged'), '--privileged'],
  ])('that reach beyond the container are refused, and accepted by name: %j', (argument, part) => {
    const problems = [`"${part}" ${CONTAINER}`];
    expect(planArgs(image(argument))).toEqual(problems);
    expect(install(image(argument), {}, { allow: ['container'] }).problems).toBeUndefined();
    expect(install(image(argument), {}, { allow: ['runtime'] }).problems).toEqual(problems);
  });

  it.each([named('--network', 'none'), named('-u', '1000:1000')])(
    'that restrict the container are permitted: %j',
    (argument) => {
      expect(install(image(argument)).problems).toBeUndefined();
    },
  );

  it.each([
    [{ source: ['/a', '/b'], target: ['/x', '/y'] }, '--mount=type=bind,src=/b,dst=/y'],
    [{ source: ['/a', '/b'] }, '--mount=type=bind,src=/b,dst=/data'],
    [
      { source: ['/a', '/b', '/c'], target: ['/x', '/y'] },
      'the argument --mount has more than one value, or numbers of values that differ',
    ],
  ])('can be given for several values: %j', (answers, expected) => {
    const mount = {
      ...named('--mount', 'type=bind,src={source},dst={target}'),
      isRepeated: true,
      variables: { source: { isRequired: true }, target: { default: '/data' } },
    };
    const { spec, problems } = install(image(mount), answers, { allow: ['container'] });
    expect(spec?.['args'] ?? problems).toContain(expected);
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
    expect(planArgs(image(argument))).toContain(`"${shown}" ${RUNTIME}`);
  });

  it.each([
    [positional('-v/:/host'), '-v /:/host'],
    [positional('-itv/:/host'), '-v /:/host'],
    [named('--entrypoint', '/bin/sh'), '--entrypoint /bin/sh'],
  ])(
    'cannot hide access to this machine in a word that is accepted for another reason: %j',
    (argument, shown) => {
      const { problems } = install(image(argument), {}, { allow: ['runtime'] });
      expect(problems).toEqual([`"${shown}" ${CONTAINER}`]);
    },
  );

  it('cannot hide an option behind an option that takes a value', () => {
    expect(planArgs(image(positional('-v'), positional('--privileged')))).toEqual([
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
    ['pypi', 'uvx', named('--python', '/tmp/evil')],
    ['pypi', 'uvx', named('-p', 'evil')],
    ['pypi', 'uvx', positional('--python=./evil')],
    ['pypi', 'uvx', positional('--python=')],
  ])('of %s cannot name another package or program: %s %j', (registryType, command, argument) => {
    const fields = packageOf({ registryType, identifier: 'demo', runtimeArguments: [argument] });
    expect(install(fields).problems).toContainEqual(expect.stringContaining(RUNTIME));
    const { spec } = install(fields, {}, { allow: ['runtime'] });
    expect(spec).toMatchObject({ command, autoStart: false });
  });

  it('choose the version of Python', () => {
    expect(planArgs(python(named('--python', '3.12')))).toEqual(['--python=3.12', 'demo==1.2.3']);
  });
});
