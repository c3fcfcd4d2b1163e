import { expect, it } from 'vitest';
import { listPresets, parsePresets } from '../src/index.ts';
import { ALL_TOOLS, presetsOf, resolve, selected } from './example-catalog.ts';
import { requirement } from './requirement.ts';

requirement('2.3/read-only', () => {
  it('selects every read-only tool, workflow and core tool', () =>
    expect(selected(['preset:read-only'])).toEqual([
      'x_files_get_file',
      'x_git_get_log',
      'x_k8s_get_pods',
      'workflow_report',
      'core_workflow_list',
      'core_config_get',
    ]));
});

requirement('2.3/none', () => {
  it('selects nothing', () => expect(selected(['preset:none'])).toEqual([]));
  it('takes nothing away from others', () =>
    expect(selected(['preset:none', 'workflow:deploy'])).toEqual(['workflow_deploy']));
  it('is matched', () =>
    expect(resolve(['preset:none'])).toMatchObject({ value: { unmatched: [] } }));
});

requirement('2.3/full', () => {
  it('selects the whole catalog', () => expect(selected(['preset:full'])).toEqual(ALL_TOOLS));
  it('selects what the pattern * selects', () =>
    expect(selected(['preset:all'], { config: { all: { include: [{ pattern: '*' }] } } })).toEqual(
      selected(['preset:full']),
    ));
});

requirement('9.2/preset-configuration', () => {
  it.each([undefined, null, {}])('has the built-ins without a configuration: %j', (config) =>
    expect(listPresets(presetsOf(config))).toEqual([
      {
        name: 'read-only',
        description:
          'Every tool its server annotates read-only, plus every workflow whose step tools are all read-only',
        builtIn: true,
      },
      { name: 'none', description: 'No tools', builtIn: true },
      {
        name: 'full',
        description: "The whole catalogue, including the gateway's core tools",
        builtIn: true,
      },
    ]),
  );
});

requirement('2.2/description', () => {
  it('lists the configured presets sorted by name after the built-ins', () =>
    expect(
      listPresets(
        presetsOf({
          zulu: { include: [], description: 'Last' },
          alpha: { include: [] },
          Beta: { include: [], description: '' },
          '10': { include: [] },
        }),
      ).slice(3),
    ).toEqual([
      { name: '10', builtIn: false },
      { name: 'Beta', builtIn: false },
      { name: 'alpha', builtIn: false },
      { name: 'zulu', description: 'Last', builtIn: false },
    ]));
  it('is a text', () =>
    expect(
      parsePresets({ p: { description: 5, include: [] } }, { gatewayVersion: '5.13.0' }).ok,
    ).toBe(false));
});
