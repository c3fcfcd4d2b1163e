import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { ALL_TOOLS, exampleInput, namesOf, resolve, selected, server } from './example-catalog.ts';
import { requirement } from './requirement.ts';

describe('the example', () => {
  it('exposes these tools', () =>
    expect(ALL_TOOLS).toEqual([
      'x_files_get_file',
      'x_files_write_file',
      'x_git_get_log',
      'x_git_push',
      'x_k8s_delete_pod',
      'x_k8s_drain',
      'x_k8s_get_pods',
      'workflow_deploy',
      'workflow_report',
      'core_workflow_list',
      'core_workflow_delete',
      'core_config_get',
    ]));
});

requirement('2.1/selects-preset', () => {
  it('accepts a configured preset', () =>
    expect(
      selected(['preset:docs'], { config: { docs: { include: [{ server: 'files' }] } } }),
    ).toEqual(['x_files_get_file', 'x_files_write_file']));
  it('accepts a built-in preset', () => expect(selected(['preset:full'])).toEqual(ALL_TOOLS));
  it('accepts a preset named constructor', () =>
    expect(
      selected(['preset:constructor'], {
        config: { constructor: { include: [{ tool: 'x_git_push' }] } },
      }),
    ).toEqual(['x_git_push']));
  it('knows no constructor without it', () =>
    expect(selected(['preset:constructor'])).toBe(
      'toolset [preset:constructor] names unknown preset "constructor"; known presets: read-only, none, full',
    ));
});

requirement('2.1/selects-server', () => {
  it('selects every tool of the server', () =>
    expect(selected(['server:git'])).toEqual(['x_git_get_log', 'x_git_push']));
  it('selects nothing of another', () => expect(selected(['server:gi'])).toEqual([]));
  it('is case-sensitive', () => expect(selected(['server:Git'])).toEqual([]));
  it('selects neither workflows nor core tools', () => {
    expect(selected(['server:workflow'])).toEqual([]);
    expect(selected(['server:core'])).toEqual([]);
  });
});

requirement('2.1/selects-family', () => {
  it("selects the surface by the family's name", () =>
    expect(selected(['server:k8s'])).toEqual([
      'x_k8s_delete_pod',
      'x_k8s_drain',
      'x_k8s_get_pods',
    ]));
  it("selects what a member provides by the member's name", () =>
    expect(selected(['server:k8s-eu'])).toEqual(['x_k8s_delete_pod', 'x_k8s_get_pods']));
});

requirement('2.1/selects-workflow', () => {
  it('selects the execution tool', () =>
    expect(selected(['workflow:deploy'])).toEqual(['workflow_deploy']));
  it('is the same as the tool', () =>
    expect(selected(['tool:workflow_deploy'])).toEqual(['workflow_deploy']));
  it('selects no management tool', () => expect(selected(['workflow:list'])).toEqual([]));
});

requirement('2.1/selects-tool', () => {
  it('selects one tool', () => expect(selected(['tool:x_git_push'])).toEqual(['x_git_push']));
  it('treats a pattern as a name', () => expect(selected(['tool:x_git_*'])).toEqual([]));
});

requirement('2.1/core-tools', () => {
  it('selects a core tool by name', () =>
    expect(selected(['tool:core_workflow_list'])).toEqual(['core_workflow_list']));
  it('selects core tools by a pattern of a preset', () =>
    expect(selected(['preset:c'], { config: { c: { include: [{ pattern: 'core_*' }] } } })).toEqual(
      ['core_workflow_list', 'core_workflow_delete', 'core_config_get'],
    ));
  it('finds no server called core', () => expect(selected(['server:core'])).toEqual([]));
});

requirement('4.1/narrows', () => {
  it('selects the union in catalog order, regardless of the order of the selectors', () =>
    expect(selected(['tool:core_config_get', 'server:git', 'tool:x_git_push'])).toEqual([
      'x_git_get_log',
      'x_git_push',
      'core_config_get',
    ]));
});

requirement('3/two-headers-two-catalogs', () => {
  it('has one result per toolset', () => {
    expect(selected(['server:git'])).toEqual(['x_git_get_log', 'x_git_push']);
    expect(selected(['server:files'])).toEqual(['x_files_get_file', 'x_files_write_file']);
    expect(selected(['server:git'])).toEqual(['x_git_get_log', 'x_git_push']);
  });
  it('has one result per catalog', () => {
    const more = buildCatalog({
      ...exampleInput,
      servers: [server('git', ['blame'])],
    });
    expect(selected(['server:git'], { catalog: more })).toEqual(['x_git_blame']);
    expect(selected(['server:git'])).toEqual(['x_git_get_log', 'x_git_push']);
  });
});

requirement('7.1/unknown-preset', () => {
  const config = { zulu: { include: [] }, alpha: { include: [] }, Beta: { include: [] } };
  it('names the toolset, the preset and the known presets: built-ins first, then sorted', () =>
    expect(selected(['server:git', 'preset:foo', 'preset:bar'], { config })).toBe(
      'toolset [server:git,preset:foo,preset:bar] names unknown preset "foo"; known presets: read-only, none, full, Beta, alpha, zulu',
    ));
  it('is exact about case', () =>
    expect(selected(['preset:None'])).toBe(
      'toolset [preset:None] names unknown preset "None"; known presets: read-only, none, full',
    ));
  it('knows no __proto__', () =>
    expect(selected(['preset:__proto__'])).toBe(
      'toolset [preset:__proto__] names unknown preset "__proto__"; known presets: read-only, none, full',
    ));
  it('accepts the known neighbour', () =>
    expect(selected(['preset:alpha'], { config })).toEqual([]));
});

describe('unmatched selectors', () => {
  const unmatchedOf = (items: readonly string[], config?: unknown): readonly string[] => {
    const resolved = resolve(items, { config });
    return resolved.ok ? resolved.value.unmatched : [];
  };
  it('are printed as given, in order, with duplicates', () =>
    expect(unmatchedOf(['server:b', 'server:git', ' tool:a ', 'server:b'])).toEqual([
      'server:b',
      'tool:a',
      'server:b',
    ]));
  it('never include preset:none', () => expect(unmatchedOf(['preset:none'])).toEqual([]));
  it('include another preset that resolves to nothing', () =>
    expect(unmatchedOf(['preset:nothing'], { nothing: { include: [] } })).toEqual([
      'preset:nothing',
    ]));
  it('are none when every selector selects', () =>
    expect(unmatchedOf(['server:git', 'tool:x_git_push'])).toEqual([]));
});

describe('within another selection', () => {
  const header = resolve(['preset:read-only']);
  const within = header.ok ? header.value.selection : undefined;
  if (within === undefined) throw new Error('read-only resolves');

  it('keeps what both select', () =>
    expect(selected(['server:git', 'server:k8s'], { within })).toEqual([
      'x_git_get_log',
      'x_k8s_get_pods',
    ]));
  it('never widens', () => expect(selected(['preset:full'], { within })).toEqual(namesOf(within)));
  it('reports as unmatched what the outer selection holds nothing of', () =>
    expect(resolve(['tool:x_git_push', 'tool:x_git_get_log'], { within })).toMatchObject({
      value: { unmatched: ['tool:x_git_push'] },
    }));
  it('does not report it without the outer selection', () =>
    expect(resolve(['tool:x_git_push', 'tool:x_git_get_log'])).toMatchObject({
      value: { unmatched: [] },
    }));
  it('keeps nothing inside nothing', () => {
    const nothing = resolve(['preset:none']);
    expect(
      selected(['preset:full'], nothing.ok ? { within: nothing.value.selection } : {}),
    ).toEqual([]);
  });
});
