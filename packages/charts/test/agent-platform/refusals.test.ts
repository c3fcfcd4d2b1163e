import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import { schemaRefusals } from '../harness/schema-refusals.ts';
import { expectTexts, type TextTable } from '../harness/template-texts.ts';
import { requirement } from '../requirement.ts';

const problems = (table: TextTable) => (): Promise<void> =>
  expectTexts('agent-platform', '{{ include "agent-platform.problem" . }}', table);

const gateway = (versionRange: string) => ({ components: { muster: { versionRange } } });

const presets = (toolsetPresets: object, rest: object = {}) => ({
  ...rest,
  muster: { muster: { toolsetPresets } },
});

const part = (entry: object = {}) => ({ chart: 'part', versionRange: '1.x', ...entry });

const OTHER_DOMAIN_PRESETS = {
  infrastructure: { include: [{ label: 'example.org/tool-group=infrastructure' }] },
  'agent-platform': {
    include: [{ label: 'example.org/tool-group=agent-platform' }, { pattern: 'core_*' }],
  },
};

describe('refusals of the fleet chart', () => {
  requirement('9.2/fleet-3.11.0', () => {
    it(
      'is a gateway that may be older than 5.12.0, named',
      problems({
        '': [
          gateway('>=5.12.0 <6.0.0'),
          gateway('5.13.x'),
          { components: { kagent: part({ versionRange: '0.9.x' }) } },
        ],
        'components.muster.versionRange "5.x" admits the gateway 5.0.0, which refuses to start with the platform\'s presets (unknown rule "label"); admit none below 5.12.0, such as ">=5.12.0 <6.0.0"':
          gateway('5.x'),
        'components.muster.versionRange ">=5.12.0 || 5.11.4" admits the gateway 5.11.4, which refuses to start with the platform\'s presets (unknown rule "label"); admit none below 5.12.0, such as ">=5.12.0 <6.0.0"':
          gateway('>=5.12.0 || 5.11.4'),
        'components.muster.versionRange "*" admits the gateway 0.0.0, which refuses to start with the platform\'s presets (unknown rule "label"); admit none below 5.12.0, such as ">=5.12.0 <6.0.0"':
          { components: { muster: { enabled: false, versionRange: '*' } } },
        'components.other.versionRange "^5.11.0" admits the gateway 5.11.0, which refuses to start with the platform\'s presets (unknown rule "label"); admit none below 5.12.0, such as ">=5.12.0 <6.0.0"':
          {
            components: {
              other: { chart: 'gateway', versionRange: '^5.11.0', valuesFrom: 'muster' },
            },
          },
        'components.muster.versionRange "latest" is not a version range, such as ">=5.12.0 <6.0.0"':
          gateway('latest'),
        'components.kagent.versionRange ">=0.7 && <0.8" is not a version range, such as ">=5.12.0 <6.0.0"':
          { components: { kagent: part({ versionRange: '>=0.7 && <0.8' }) } },
      }),
    );
  });

  requirement('2.3/platform-presets-shipped', () => {
    it(
      'is a preset with the name of a built-in one',
      problems({
        '': presets({ 'mine-only': { include: [{ server: 'github' }] } }),
        'muster.muster.toolsetPresets redefines none, which is built into the gateway and cannot be redefined by configuration (the gateway pod would refuse to start, naming it); rename the preset':
          presets({ none: { include: [{ server: 'github' }] } }),
        'muster.muster.toolsetPresets redefines full, none, read-only, which is built into the gateway and cannot be redefined by configuration (the gateway pod would refuse to start, naming it); rename the preset':
          presets({ none: {}, full: {}, 'read-only': {}, readonly: {} }),
      }),
    );

    it(
      'is a preset that still selects by the default label domain, with what to set',
      problems({
        'labelDomain is example.org, but presets still select by gateway.internal/tool-group, a label that no server has; set muster.muster.toolsetPresets.agent-platform.include to [{"label":"example.org/tool-group=agent-platform"},{"pattern":"core_*"}], and muster.muster.toolsetPresets.infrastructure.include to [{"label":"example.org/tool-group=infrastructure"}]':
          { labelDomain: 'example.org' },
        '': [
          presets(OTHER_DOMAIN_PRESETS, { labelDomain: 'example.org' }),
          presets(OTHER_DOMAIN_PRESETS, { global: { labelDomain: 'example.org' } }),
          presets(
            {
              ...OTHER_DOMAIN_PRESETS,
              tiers: { include: [{ label: 'gateway.internal/tool-groups=a' }] },
            },
            { labelDomain: 'example.org' },
          ),
        ],
        'labelDomain is example.org, but presets still select by gateway.internal/tool-group, a label that no server has; set muster.muster.toolsetPresets.others.exclude to [{"label":"example.org/tool-group"}]':
          presets(
            {
              ...OTHER_DOMAIN_PRESETS,
              others: {
                include: [{ pattern: '*' }],
                exclude: [{ label: 'gateway.internal/tool-group' }],
              },
            },
            { global: { labelDomain: 'example.org' } },
          ),
      }),
    );
  });

  it(
    'is a component that depends on one that is not released',
    problems({
      '': [
        { components: { kagent: part({ dependsOn: ['muster', 'agent-manager'] }) } },
        { components: { kagent: part({ enabled: false, dependsOn: ['mustr'] }) } },
        { components: { a: part({ dependsOn: ['b'] }), b: part({ dependsOn: ['c'] }), c: part() } },
      ],
      'components.kagent.dependsOn names "mustr", which is not a component': {
        components: { kagent: part({ dependsOn: ['mustr'] }) },
      },
      'components.agent-manager.dependsOn names "muster", which is not enabled': {
        components: { muster: { enabled: false } },
      },
      'components a, b depend on each other (dependsOn), so none of them would be installed': [
        { components: { a: part({ dependsOn: ['b'] }), b: part({ dependsOn: ['a'] }) } },
        { components: { a: part({ dependsOn: ['a'] }), b: part({ dependsOn: ['a', 'muster'] }) } },
      ],
    }),
  );

  it(
    'is two components with one release',
    problems({
      'components muster and other have the same release "gateway" in the namespace "agent-platform"; set releaseName of one':
        { components: { other: part({ releaseName: 'gateway' }) } },
      '': [
        { components: { other: part({ releaseName: 'gateway', namespace: 'elsewhere' }) } },
        { components: { other: part({ releaseName: 'gateway', enabled: false }) } },
      ],
      'components gateway and muster have the same release "gateway" in the namespace "here"; set releaseName of one':
        { components: { gateway: part() }, namespace: 'here' },
    }),
  );

  it(
    'is a block of values that nobody reads, or a component whose block is not there',
    problems({
      '': { kagent: {}, components: { kagent: part({ valuesFrom: 'kagent' }) } },
      'kagent, mustr: unknown value, and no component uses it as its block (components.<name>.valuesFrom); known values are agent-manager, agent-platform-mcps, apiGroup, chartRepository, components, flux, global, labelDomain, model-manager, muster, namespace, portal':
        { kagent: {}, mustr: {} },
      'components.kagent.valuesFrom names the block of values "kagent", which is not set': {
        components: { kagent: part({ valuesFrom: 'kagent' }) },
      },
      'components.kagent.valuesFrom names "flux", which is a value of this chart and not a block of values':
        { components: { kagent: part({ valuesFrom: 'flux' }) } },
    }),
  );

  it(
    'is presets that stand where the chart of the gateway has no place for them',
    problems({
      "muster.toolsetPresets is no value of the gateway's chart: presets are part of the gateway's configuration, so set muster.muster.toolsetPresets":
        { muster: { toolsetPresets: { a: { include: [{ server: 'github' }] } } } },
      '': { muster: { muster: { toolsetPresets: { a: { include: [{ server: 'github' }] } } } } },
    }),
  );

  it('stops the render, after the schema and before anything else', async () => {
    const floor = await render('agent-platform', gateway('5.x'));
    expect(floor).toMatchObject({
      error: expect.stringMatching(
        /^Error: execution error at \(agent-platform\/templates\/validate\.yaml:1:\d+\): components\.muster\.versionRange "5\.x" admits the gateway 5\.0\.0/u,
      ) as string,
    });
    expect(
      await schemaRefusals('agent-platform', {
        namespace: 'Not_A_Namespace',
        kagent: 'not a block',
        components: {
          muster: { versionrange: '5.x' },
          agent: { chart: 'agent' },
          'Upper Case': part(),
          late: part({
            crds: 'Sometimes',
            timeout: '5 minutes',
            repository: 'https://charts.example.org',
          }),
        },
      }),
    ).toEqual([
      'components.agent: versionRange is required',
      'components.late.crds: components.late.crds must be one of the following: "Create", "CreateReplace", "Skip"',
      String.raw`components.late.repository: Does not match pattern '^oci:\/\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?(\/[a-z0-9][a-z0-9._-]*)*$'`,
      "components.late.timeout: Does not match pattern '^([0-9]+(ms|s|m|h))+$'",
      'components.muster: Additional property versionrange is not allowed',
      "components: Does not match pattern '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'",
      'components: Property name of "Upper Case" does not match',
      'kagent: Invalid type. Expected: object, given: string',
      "namespace: Does not match pattern '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'",
    ]);
  });
});
