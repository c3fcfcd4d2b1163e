import {
  parseWorkflowDefinition,
  listReferencedTools,
  listRequiredTools,
} from '@gateway/crd-schemas';
import { expect, it } from 'vitest';
import { buildCatalog, findWorkflowAvailability, type CatalogSnapshot } from '../src/index.ts';
import { inputOf, server, serverTool } from './inventories.ts';
import { requirement } from './requirement.ts';

const readOnlyHint = true;
const servers = [
  server('files', [serverTool('read', { annotations: { readOnlyHint } }), 'write']),
  server('wiki', [serverTool('search', { annotations: { readOnlyHint } })]),
];

const READ = { id: 'read', tool: 'x_files_read' };

/** The catalog with a workflow of this definition, as its resource is parsed. */
const catalogWith = (definition: Readonly<Record<string, unknown>>): CatalogSnapshot => {
  const parsed = parseWorkflowDefinition({ name: 'w', ...definition });
  if (!parsed.ok) throw new Error(parsed.error.join());
  const { workflow } = parsed.value;
  const entry = {
    name: 'w',
    description: workflow.spec.description,
    inputSchema: { type: 'object' },
    referencedTools: listReferencedTools(workflow),
    requiredTools: listRequiredTools(workflow),
  };
  return buildCatalog(inputOf(servers, { workflows: [entry] }));
};

const isReadOnly = (definition: Readonly<Record<string, unknown>>): boolean =>
  catalogWith(definition).tool('workflow_w')?.annotations?.readOnlyHint === true;

/** The same place in a definition, once with a tool that only reads and once with one that writes. */
const decides = (place: (tool: string) => Readonly<Record<string, unknown>>): void => {
  expect(isReadOnly(place('x_wiki_search'))).toBe(true);
  expect(isReadOnly(place('x_files_write'))).toBe(false);
  expect(isReadOnly(place('x_files_gone'))).toBe(false);
};

requirement('2.5/conditions', () => {
  const when = (tool: string) => ({ condition: { tool, expect: { success: true } } });

  it('counts the tool of a step’s condition', () => {
    decides((tool) => ({ steps: [{ ...READ, ...when(tool) }] }));
  });
  it('counts those of sub-steps and handlers', () => {
    decides((tool) => ({ steps: [{ id: 'p', parallel: [{ ...READ, ...when(tool) }] }] }));
    decides((tool) => ({ steps: [READ], onFailure: [{ ...READ, id: 'h', ...when(tool) }] }));
  });
  it('counts that of a composite step’s own condition', () => {
    decides((tool) => ({ steps: [{ id: 'p', parallel: [READ], ...when(tool) }] }));
  });
  it('has nothing to count in template and fromStep conditions', () => {
    const template = { condition: { template: '{{ .input.on }}' } };
    const fromStep = { condition: { fromStep: 'read', expectNot: { success: true } } };
    expect(
      isReadOnly({
        steps: [
          { ...READ, ...template },
          { ...READ, id: 'b', ...fromStep },
        ],
      }),
    ).toBe(true);
  });
  it('does not need them to be there: without it the workflow is available all the same', () => {
    const snapshot = catalogWith({ steps: [{ ...READ, ...when('x_gone') }] });
    expect(findWorkflowAvailability(snapshot, 'w')).toEqual({ available: true, missing: [] });
  });
});

requirement('2.5/sub-steps', () => {
  const each = (...steps: readonly unknown[]) => ({
    steps: [READ, { id: 'each', forEach: { items: '{{ .results.read }}', steps } }],
  });

  it('counts the tools of forEach', () => {
    decides((tool) => each({ id: 'a', tool: 'x_files_read' }, { id: 'b', tool }));
  });
  it('counts the tools of parallel', () => {
    decides((tool) => ({ steps: [{ id: 'p', parallel: [READ, { id: 'b', tool }] }] }));
  });
  it('needs them to be there', () => {
    expect(findWorkflowAvailability(catalogWith(each({ id: 'a', tool: 'x_gone' })), 'w')).toEqual({
      available: false,
      missing: ['x_gone'],
    });
  });
});

requirement('2.5/on-failure', () => {
  it('counts the tools of handlers', () => {
    decides((tool) => ({ steps: [READ], onFailure: [{ id: 'h', tool }] }));
  });
  it('has nothing to count without handlers', () => {
    expect(isReadOnly({ steps: [READ], onFailure: [] })).toBe(true);
  });
  it('needs them to be there', () => {
    const snapshot = catalogWith({ steps: [READ], onFailure: [{ id: 'h', tool: 'x_gone' }] });
    expect(findWorkflowAvailability(snapshot, 'w').missing).toEqual(['x_gone']);
  });
});
