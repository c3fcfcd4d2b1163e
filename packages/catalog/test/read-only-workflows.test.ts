import { describe, expect, it } from 'vitest';
import {
  buildCatalog,
  toToolInfo,
  type CatalogInput,
  type CatalogSnapshot,
  type WorkflowToolEntry,
} from '../src/index.ts';
import { fc, test } from './fast-check.ts';
import { core, inputOf, member, names, server, serverTool, workflow } from './inventories.ts';
import { requirement } from './requirement.ts';

const READS = { annotations: { readOnlyHint: true } };

const servers = [
  server('files', [serverTool('read', READS), 'write']),
  server('wiki', [serverTool('search', READS)]),
  member('east', [serverTool('pods', READS), serverTool('logs', READS)]),
  member('west', [serverTool('pods', READS), serverTool('logs')]),
];

const coreTools = [
  core('core_workflow_list', READS),
  core('core_workflow_delete', { annotations: { readOnlyHint: false } }),
  core('core_service_stop'),
];

/** A workflow whose steps, conditions, sub-steps and handlers name these tools. */
const naming = (name: string, ...referencedTools: readonly string[]): WorkflowToolEntry =>
  workflow(name, { referencedTools });

const catalogWith = (workflows: readonly WorkflowToolEntry[]): CatalogSnapshot =>
  buildCatalog(inputOf(servers, { workflows, coreTools }));

/** The names of the workflows that are read-only among these. */
const readOnly = (...workflows: readonly WorkflowToolEntry[]): readonly string[] =>
  names(catalogWith(workflows).readOnlyTools.filter(({ kind }) => kind === 'workflow'));

requirement('2.5/all-read-only', () => {
  it('is read-only when all its tools are', () =>
    expect(readOnly(naming('w', 'x_files_read', 'x_wiki_search'))).toEqual(['workflow_w']));
  it('is not when one of them is not', () =>
    expect(readOnly(naming('w', 'x_files_read', 'x_files_write'))).toEqual([]));
  it('uses the hints that all members of a family share', () =>
    expect(readOnly(naming('a', 'x_k8s_pods'), naming('b', 'x_k8s_logs'))).toEqual(['workflow_a']));
  it('depends on its catalog: without the server it is not read-only', () => {
    const workflows = [naming('w', 'x_files_read', 'x_wiki_search')];
    const signedOut = buildCatalog(inputOf(servers.slice(0, 1), { workflows, coreTools }));
    expect(names(signedOut.readOnlyTools)).toEqual(['x_files_read', 'core_workflow_list']);
  });
});

requirement('2.5/nested', () => {
  it('follows nested workflows in any order', () =>
    expect(
      readOnly(
        naming('a', 'workflow_b', 'x_files_read'),
        naming('b', 'workflow_c', 'workflow_d'),
        naming('d', 'workflow_c'),
        naming('c', 'x_wiki_search'),
      ),
    ).toEqual(['workflow_a', 'workflow_b', 'workflow_c', 'workflow_d']));
  it('finds what writes three workflows down', () =>
    expect(
      readOnly(
        naming('a', 'workflow_b'),
        naming('b', 'workflow_c'),
        naming('c', 'x_files_write'),
        naming('d', 'x_files_read'),
      ),
    ).toEqual(['workflow_d']));
  it('is not read-only with a nested workflow that does not exist', () =>
    expect(readOnly(naming('a', 'workflow_gone'))).toEqual([]));
});

requirement('2.5/writing-core-tool', () => {
  it.each(['core_workflow_delete', 'core_service_stop'])('is not read-only with %s', (tool) =>
    expect(readOnly(naming('w', 'x_files_read', tool))).toEqual([]),
  );
});

requirement('2.5/read-only-core-tool', () => {
  it('stays read-only with core_workflow_list', () =>
    expect(readOnly(naming('w', 'x_files_read', 'core_workflow_list'))).toEqual(['workflow_w']));
});

requirement('2.5/unknown-tool', () => {
  it.each(['x_files_gone', 'x_gone_read', 'core_gone', 'read', '', 'constructor', '__proto__'])(
    'is not read-only with %j',
    (tool) => expect(readOnly(naming('w', 'x_files_read', tool))).toEqual([]),
  );
});

requirement('2.5/cycle', () => {
  it('is not read-only when it calls itself', () =>
    expect(readOnly(naming('w', 'x_files_read', 'workflow_w'))).toEqual([]));
  it('is not read-only in a cycle, nor when it leads into one', () =>
    expect(
      readOnly(
        naming('a', 'workflow_b'),
        naming('b', 'workflow_c', 'x_files_read'),
        naming('c', 'workflow_a'),
        naming('into', 'workflow_a'),
        naming('beside', 'x_files_read'),
      ),
    ).toEqual(['workflow_beside']));
  it('is read-only when two ways lead to one workflow', () =>
    expect(
      readOnly(
        naming('a', 'workflow_b', 'workflow_c', 'workflow_b'),
        naming('b', 'workflow_c'),
        naming('c', 'x_files_read'),
      ),
    ).toEqual(['workflow_a', 'workflow_b', 'workflow_c']));
});

requirement('2.5/derived-hint', () => {
  const hintsOf = (entry: WorkflowToolEntry): unknown => {
    const [tool] = catalogWith([entry]).tools.filter(({ kind }) => kind === 'workflow');
    return tool && toToolInfo(tool, { description: 'full', schema: false }).annotations;
  };

  it('shows the derived hint on the entry', () =>
    expect(hintsOf(naming('w', 'x_files_read'))).toEqual({ readOnlyHint: true }));
  it('shows none where nothing is derived: never false', () =>
    expect(hintsOf(naming('w', 'x_files_write'))).toBeUndefined());
  it('replaces the declared hint; other hints are unchanged', () => {
    const annotations = { readOnlyHint: true, idempotentHint: true };
    const declared = (tool: string) => ({ ...naming('w', tool), annotations });
    expect(hintsOf(declared('x_files_write'))).toEqual({ idempotentHint: true });
    expect(hintsOf(declared('x_files_read'))).toEqual({ idempotentHint: true, readOnlyHint: true });
  });
  it('is the declared hint when references are not listed', () => {
    expect(hintsOf(workflow('w', { annotations: { readOnlyHint: false } }))).toEqual({
      readOnlyHint: false,
    });
    expect(readOnly(naming('a', 'workflow_w'), workflow('w', READS))).toEqual([
      'workflow_a',
      'workflow_w',
    ]);
    expect(readOnly(naming('a', 'workflow_w'), workflow('w'))).toEqual([]);
  });
});

requirement('2.5/read-only-preset', () => {
  it('is among the read-only tools of the catalog, from which the preset is made', () =>
    expect(
      names(catalogWith([naming('ask', 'x_wiki_search')]).readOnlyTools).includes('workflow_ask'),
    ).toBe(true));
  it('is not among them when it writes', () =>
    expect(
      names(catalogWith([naming('save', 'x_files_write')]).readOnlyTools).includes('workflow_save'),
    ).toBe(false));
});

requirement('9.2/gateway-5.11-derivation', () => {
  it('derives nothing else than readOnlyHint', () => {
    const [tool] = catalogWith([naming('w', 'x_files_read')]).tools.filter(
      ({ kind }) => kind === 'workflow',
    );
    expect(tool).toEqual({
      name: 'workflow_w',
      kind: 'workflow',
      position: 5,
      description: '',
      summary: '',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      providers: [],
    });
  });
});

describe('a chain of 10,000 nested workflows', () => {
  const chainTo = (last: string): readonly string[] =>
    readOnly(
      ...Array.from({ length: 10_000 }, (_, at) => naming(`w${at}`, `workflow_w${at + 1}`)),
      naming('w10000', last),
    );

  it('is followed to its end', () => expect(chainTo('x_files_read')).toHaveLength(10_001));
  it('is not read-only when its end is not', () => expect(chainTo('x_files_write')).toEqual([]));
});

describe('the next snapshot', () => {
  const workflows = [
    naming('ask', 'x_wiki_search'),
    naming('both', 'workflow_ask', 'x_files_read'),
    naming('save', 'x_files_write'),
  ];
  const input = inputOf(servers, { workflows, coreTools });
  const before = buildCatalog(input);
  const relisted = server('wiki', [serverTool('search')]);
  const changed: CatalogInput = { ...input, servers: servers.with(1, relisted) };
  const after = buildCatalog(changed, before);

  it('loses the hint with the server that gave it, on the way that leads there', () =>
    expect(names(after.readOnlyTools)).toEqual([
      'x_files_read',
      'x_k8s_pods',
      'core_workflow_list',
    ]));
  it('gets it back with the server', () =>
    expect(buildCatalog(input, after).tools).toEqual(before.tools));
  it('shares the workflows whose hint stays', () => {
    expect(after.tool('workflow_save')).toBe(before.tool('workflow_save'));
    expect(after.tool('workflow_ask')).not.toBe(before.tool('workflow_ask'));
    const same = buildCatalog({ ...input, servers: servers.with(1, { ...servers[1]! }) }, before);
    expect(same).not.toBe(before);
    expect(same.tool('workflow_ask')).toBe(before.tool('workflow_ask'));
  });
  it('shares all but the workflow that was edited', () => {
    const edited = { ...input, workflows: workflows.with(2, naming('save', 'x_files_read')) };
    const next = buildCatalog(edited, before);
    expect(next.tool('workflow_save')?.annotations).toEqual({ readOnlyHint: true });
    expect(next.tools.filter((tool) => tool !== before.tool(tool.name))).toEqual([
      next.tool('workflow_save'),
    ]);
  });
});

describe('any workflows', () => {
  const tool = fc.constantFrom('x_files_read', 'x_files_write', 'core_workflow_list', 'x_gone');
  const nested = fc.nat({ max: 7 }).map((at) => `workflow_w${at}`);
  const graph = fc.array(
    fc.array(fc.oneof({ weight: 3, arbitrary: nested }, { weight: 2, arbitrary: tool }), {
      maxLength: 3,
    }),
    { maxLength: 7 },
  );

  /** The rule as it is told: recursively, one workflow after the other, without memory. */
  const byTheRule = (
    references: readonly (readonly string[])[],
    of: string,
    path: readonly string[] = [],
  ): boolean => {
    if (path.includes(of)) return false;
    const its = references[Number(/^workflow_w(\d)$/.exec(of)?.[1])];
    if (its === undefined) return of === 'x_files_read' || of === 'core_workflow_list';
    return its.every((one) => byTheRule(references, one, [...path, of]));
  };

  test('are read-only exactly by the rule', graph, (references) => {
    const workflows = references.map((its, at) => naming(`w${at}`, ...its));
    expect(readOnly(...workflows)).toEqual(
      references.map((_, at) => `workflow_w${at}`).filter((name) => byTheRule(references, name)),
    );
  });

  test('are the same built anew and built from any other', fc.tuple(graph, graph), ([x, y]) => {
    const inputWith = (references: readonly (readonly string[])[]) =>
      inputOf(servers, {
        workflows: references.map((its, at) => naming(`w${at}`, ...its)),
        coreTools,
      });
    const next = inputWith(y);
    expect(buildCatalog(next, buildCatalog(inputWith(x))).tools).toEqual(buildCatalog(next).tools);
  });
});
