import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import {
  ALL_TOOLS,
  exampleCatalog,
  exampleInput,
  presetsOf,
  selected,
  selectedBy,
  server,
} from './example-catalog.ts';
import { requirement } from './requirement.ts';

requirement('2.2/rule-tool', () => {
  it('selects one tool', () =>
    expect(selectedBy([{ tool: 'x_git_push' }])).toEqual(['x_git_push']));
  it('knows no other name of it', () => expect(selectedBy([{ tool: 'push' }])).toEqual([]));
});

requirement('2.2/rule-pattern', () => {
  it('selects by glob', () =>
    expect(selectedBy([{ pattern: 'x_*_get_*' }])).toEqual([
      'x_files_get_file',
      'x_git_get_log',
      'x_k8s_get_pods',
    ]));
  it('selects the whole catalog', () => expect(selectedBy([{ pattern: '*' }])).toEqual(ALL_TOOLS));
  it('selects names with a slash by a lone star only', () => {
    const catalog = buildCatalog({ servers: [server('a', ['b/c'])], workflows: [], coreTools: [] });
    const config = {
      all: { include: [{ pattern: '*' }] },
      some: { include: [{ pattern: 'x_*' }] },
    };
    expect(selected(['preset:all'], { config, catalog })).toEqual(['x_a_b/c']);
    expect(selected(['preset:some'], { config, catalog })).toEqual([]);
  });
});

requirement('2.2/rule-server', () => {
  it('selects a server', () =>
    expect(selectedBy([{ server: 'git' }])).toEqual(['x_git_get_log', 'x_git_push']));
  it('selects a family', () =>
    expect(selectedBy([{ server: 'k8s' }])).toEqual([
      'x_k8s_delete_pod',
      'x_k8s_drain',
      'x_k8s_get_pods',
    ]));
  it('selects what a member provides', () =>
    expect(selectedBy([{ server: 'k8s-us' }])).toEqual(['x_k8s_drain', 'x_k8s_get_pods']));
});

requirement('2.2/rule-workflow', () => {
  it('selects the execution tool', () =>
    expect(selectedBy([{ workflow: 'deploy' }])).toEqual(['workflow_deploy']));
  it('selects nothing for an unknown workflow', () =>
    expect(selectedBy([{ workflow: 'workflow_deploy' }])).toEqual([]));
});

requirement('2.2/rule-read-only', () => {
  it('selects what is annotated read-only, workflows and core tools included', () =>
    expect(selectedBy([{ readOnly: true }])).toEqual([
      'x_files_get_file',
      'x_git_get_log',
      'x_k8s_get_pods',
      'workflow_report',
      'core_workflow_list',
      'core_config_get',
    ]));
  it('leaves out a family tool of which one member writes', () => {
    const family = { name: 'f', instanceArg: 'i' };
    const [tool] = server('f-2', ['get_a']).tools;
    if (tool === undefined) throw new Error('the server has a tool');
    const writing = { ...tool, annotations: { readOnlyHint: false } };
    const writes = server('f-2', [], { family, tools: [writing] });
    const catalog = buildCatalog({
      servers: [server('f-1', ['get_a'], { family }), writes],
      workflows: [],
      coreTools: [],
    });
    expect(selected(['server:f'], { catalog })).toEqual(['x_f_get_a']);
    expect(selected(['preset:read-only'], { catalog })).toEqual([]);
  });
});

requirement('2.2/union-minus-excludes', () => {
  it('takes the union of the includes', () =>
    expect(selectedBy([{ server: 'git' }, { tool: 'x_git_push' }, { workflow: 'deploy' }])).toEqual(
      ['x_git_get_log', 'x_git_push', 'workflow_deploy'],
    ));
  it('takes the excludes away from all of it', () =>
    expect(
      selectedBy([{ server: 'git' }, { tool: 'x_git_push' }], [{ tool: 'x_git_push' }]),
    ).toEqual(['x_git_get_log']));
  it.each([
    [{ tool: 'x_git_push' }, 11],
    [{ pattern: 'core_*' }, 9],
    [{ server: 'k8s' }, 9],
    [{ workflow: 'report' }, 11],
    [{ readOnly: true }, 6],
    [{ label: 'team=docs' }, 10],
  ])('excludes by %j', (rule, left) =>
    expect(selectedBy([{ pattern: '*' }], [rule])).toHaveLength(left),
  );
  it('excludes nothing that is not included', () =>
    expect(selectedBy([{ server: 'git' }], [{ server: 'files' }])).toEqual([
      'x_git_get_log',
      'x_git_push',
    ]));
  it('selects nothing without includes', () =>
    expect(selectedBy([], [{ readOnly: true }])).toEqual([]));
});

requirement('2.2/rule-preset', () => {
  const config = {
    writers: { include: [{ pattern: '*' }], exclude: [{ readOnly: true }] },
    'git-reader': { include: [{ server: 'git' }], exclude: [{ tool: 'x_git_push' }] },
    both: { include: [{ preset: 'writers' }, { preset: 'git-reader' }, { preset: 'none' }] },
    top: { include: [{ preset: 'both' }], exclude: [{ pattern: 'x_*' }] },
  };
  it('selects all that the other selects; its excludes apply only inside it', () =>
    expect(selected(['preset:both'], { config })).toEqual([
      'x_files_write_file',
      'x_git_get_log',
      'x_git_push',
      'x_k8s_delete_pod',
      'x_k8s_drain',
      'workflow_deploy',
      'core_workflow_delete',
    ]));
  it('excludes from all that it composes', () =>
    expect(selected(['preset:top'], { config })).toEqual([
      'workflow_deploy',
      'core_workflow_delete',
    ]));
  it('composes built-ins', () =>
    expect(selectedBy([{ preset: 'full' }], [{ pattern: '*_*_*' }])).toEqual([
      'workflow_deploy',
      'workflow_report',
    ]));
  it('composes one preset along two ways', () =>
    expect(
      selected(['preset:a'], {
        config: {
          a: { include: [{ preset: 'b' }, { preset: 'c' }] },
          b: { include: [{ preset: 'd' }] },
          c: { include: [{ preset: 'd' }] },
          d: { include: [{ workflow: 'deploy' }] },
        },
      }),
    ).toEqual(['workflow_deploy']));
  it('composes 20,000 presets deep', () => {
    const deep = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [
        `p${index}`,
        { include: [index === 19_999 ? { workflow: 'deploy' } : { preset: `p${index + 1}` }] },
      ]),
    );
    expect(selected(['preset:p0'], { config: deep })).toEqual(['workflow_deploy']);
  });
});

requirement('2.2/rule-label', () => {
  it('selects the tools of every server with the label', () =>
    expect(selectedBy([{ label: 'team=docs' }])).toEqual([
      'x_files_get_file',
      'x_files_write_file',
    ]));
  it('selects nothing for another value', () => {
    expect(selectedBy([{ label: 'team=doc' }])).toEqual([]);
    expect(selectedBy([{ label: 'team=Docs' }])).toEqual([]);
  });
  it('selects neither workflows nor core tools', () => {
    const catalog = buildCatalog({
      ...exampleInput,
      workflows: [{ name: 'w', description: '', inputSchema: {}, labels: { team: 'docs' } }],
    });
    const config = { p: { include: [{ label: 'team=docs' }] } };
    expect(selected(['preset:p'], { config, catalog })).toEqual([
      'x_files_get_file',
      'x_files_write_file',
    ]);
  });
  it('finds no inherited key', () => {
    expect(selectedBy([{ label: 'constructor' }])).toEqual([]);
    expect(selectedBy([{ label: 'toString' }])).toEqual([]);
  });
});

requirement('2.2/label-presence', () => {
  it('matches a key alone whatever its value', () =>
    expect(selectedBy([{ label: 'team' }])).toEqual([
      'x_files_get_file',
      'x_files_write_file',
      'x_git_get_log',
      'x_git_push',
    ]));
  it('matches a key alone with an empty value too', () =>
    expect(selectedBy([{ label: 'empty' }])).toHaveLength(2));
  it('matches an empty value', () => expect(selectedBy([{ label: 'empty=' }])).toHaveLength(2));
  it('matches no other value as empty', () => expect(selectedBy([{ label: 'team=' }])).toEqual([]));
});

requirement('2.2/label-family', () => {
  it('takes a tool that a labelled member provides', () =>
    expect(selectedBy([{ label: 'zone=us' }])).toEqual(['x_k8s_drain', 'x_k8s_get_pods']));
  it('leaves out a tool that only the other member provides', () =>
    expect(selectedBy([{ label: 'zone=eu' }])).toEqual(['x_k8s_delete_pod', 'x_k8s_get_pods']));
  it('takes each tool once when every member is labelled', () =>
    expect(selectedBy([{ label: 'zone' }])).toEqual([
      'x_k8s_delete_pod',
      'x_k8s_drain',
      'x_k8s_get_pods',
    ]));
  it('does not take the label of a member for that of the family which bears its name', () => {
    const family = { name: 'k8s', instanceArg: 'cluster' };
    const catalog = buildCatalog({
      servers: [
        server('k8s', ['get_pods'], { family, labels: { zone: 'eu' } }),
        server('k8s-us', ['drain'], { family }),
      ],
      workflows: [],
      coreTools: [],
    });
    const config = { p: { include: [{ label: 'zone=eu' }] } };
    expect(selected(['preset:p'], { config, catalog })).toEqual(['x_k8s_get_pods']);
    expect(selected(['server:k8s'], { catalog })).toEqual(['x_k8s_drain', 'x_k8s_get_pods']);
  });
});

requirement('2.2/label-live', () => {
  const labelled = (labels: Record<string, string>) =>
    buildCatalog(
      { ...exampleInput, servers: [server('git', ['get_log', 'push'], { labels })] },
      exampleCatalog,
    );
  const presets = presetsOf({
    eu: { include: [{ label: 'zone=eu' }] },
    nested: { include: [{ preset: 'eu' }, { label: 'team' }] },
    outside: { include: [{ server: 'git' }], exclude: [{ label: 'team' }] },
  });

  it('selects by the labels that the servers have at the request, in composed presets too', () => {
    const ask = (labels: Record<string, string>) =>
      selected(['preset:nested'], { presets, catalog: labelled(labels) });
    expect(ask({ zone: 'eu' })).toEqual(['x_git_get_log', 'x_git_push']);
    expect(ask({ zone: 'us' })).toEqual([]);
    expect(ask({ zone: 'us', team: 'code' })).toEqual(['x_git_get_log', 'x_git_push']);
  });
  it('excludes by them', () => {
    const ask = (labels: Record<string, string>) =>
      selected(['preset:outside'], { presets, catalog: labelled(labels) });
    expect(ask({})).toEqual(['x_git_get_log', 'x_git_push']);
    expect(ask({ team: 'code' })).toEqual([]);
  });
});

describe('the platform presets', () => {
  const config = {
    infrastructure: { include: [{ label: 'gateway.internal/tool-group=infrastructure' }] },
    'agent-platform': {
      include: [{ label: 'gateway.internal/tool-group=agent-platform' }, { pattern: 'core_*' }],
    },
  };
  const group = (value: string) => ({ labels: { 'gateway.internal/tool-group': value } });
  const catalog = buildCatalog({
    ...exampleInput,
    servers: [
      server('agent-manager', ['create_agent'], group('agent-platform')),
      server('metrics', ['query'], group('infrastructure')),
      server('git', ['push']),
    ],
  });
  it('select by the label of the platform', () => {
    expect(selected(['preset:infrastructure'], { config, catalog })).toEqual(['x_metrics_query']);
    expect(selected(['preset:agent-platform'], { config, catalog })).toEqual([
      'x_agent-manager_create_agent',
      'core_workflow_list',
      'core_workflow_delete',
      'core_config_get',
    ]);
  });
});
