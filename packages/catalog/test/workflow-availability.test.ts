import { describe, expect, it } from 'vitest';
import {
  buildCatalog,
  findWorkflowAvailability,
  type CatalogSnapshot,
  type WorkflowToolEntry,
} from '../src/index.ts';
import { fc, test } from './fast-check.ts';
import { inputOf, member, server, workflow } from './inventories.ts';

const servers = [server('files', ['read']), member('east', ['pods']), member('west', ['pods'])];

const requiring = (name: string, ...requiredTools: readonly string[]): WorkflowToolEntry =>
  workflow(name, { requiredTools });

const catalogWith = (...workflows: readonly WorkflowToolEntry[]): CatalogSnapshot =>
  buildCatalog(inputOf(servers, { workflows }));

const AVAILABLE = { available: true, missing: [] };

describe('a workflow', () => {
  const availability = (...tools: readonly string[]) =>
    findWorkflowAvailability(catalogWith(requiring('w', ...tools)), 'w');

  it('is available when every required tool is there, those of families too', () =>
    expect(availability('x_files_read', 'x_k8s_pods')).toEqual(AVAILABLE));
  it('is unavailable when a tool is missing, and names it', () =>
    expect(availability('x_files_read', 'x_gone_read', 'x_files_gone')).toEqual({
      available: false,
      missing: ['x_gone_read', 'x_files_gone'],
    }));
  it('always has core tools', () => expect(availability('core_events')).toEqual(AVAILABLE));
  it('is available when its references are not listed', () =>
    expect(findWorkflowAvailability(catalogWith(workflow('w')), 'w')).toEqual(AVAILABLE));
  it('may need a condition’s tool and be available without it', () =>
    expect(
      findWorkflowAvailability(
        catalogWith(
          workflow('w', {
            referencedTools: ['x_files_read', 'x_gone_check'],
            requiredTools: ['x_files_read'],
          }),
        ),
        'w',
      ),
    ).toEqual(AVAILABLE));
  it.each(['gone', '', '__proto__', 'constructor'])('is not available as %j, unknown', (name) =>
    expect(findWorkflowAvailability(catalogWith(requiring('w')), name)).toEqual({
      available: false,
      missing: [`workflow_${name}`],
    }),
  );
});

describe('nested workflows', () => {
  it('are available three levels down, and unavailable when the deepest lacks a tool', () => {
    const levels = (tool: string) =>
      catalogWith(
        requiring('top', 'workflow_middle', 'x_files_read'),
        requiring('middle', 'workflow_deep'),
        requiring('deep', tool),
      );
    expect(findWorkflowAvailability(levels('x_files_read'), 'top')).toEqual(AVAILABLE);
    expect(findWorkflowAvailability(levels('x_gone'), 'top')).toEqual({
      available: false,
      missing: ['workflow_middle'],
    });
    expect(findWorkflowAvailability(levels('x_gone'), 'deep').missing).toEqual(['x_gone']);
  });
  it('are unavailable without the deepest', () =>
    expect(
      findWorkflowAvailability(
        catalogWith(requiring('top', 'workflow_middle'), requiring('middle', 'workflow_gone')),
        'top',
      ).available,
    ).toBe(false));
  it('stay available in a cycle', () => {
    const cycle = catalogWith(
      requiring('a', 'workflow_b', 'x_files_read'),
      requiring('b', 'workflow_a'),
    );
    expect(findWorkflowAvailability(cycle, 'a')).toEqual(AVAILABLE);
    const broken = catalogWith(
      requiring('a', 'workflow_b', 'x_gone'),
      requiring('b', 'workflow_a'),
    );
    expect(findWorkflowAvailability(broken, 'b')).toEqual({
      available: false,
      missing: ['workflow_a'],
    });
  });
  it('may be 10,000 deep', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) =>
      requiring(`w${at}`, `workflow_w${at + 1}`),
    );
    const last = (tool: string) => catalogWith(...chain, requiring('w10000', tool));
    expect(findWorkflowAvailability(last('x_files_read'), 'w0').available).toBe(true);
    expect(findWorkflowAvailability(last('x_gone'), 'w0').available).toBe(false);
  });
});

it('is found out once for a snapshot', () => {
  const snapshot = catalogWith(requiring('w', 'x_gone'));
  expect(findWorkflowAvailability(snapshot, 'w')).toBe(findWorkflowAvailability(snapshot, 'w'));
});

describe('any workflows', () => {
  const tool = fc.constantFrom('x_files_read', 'x_gone', 'core_any');
  const nested = fc.nat({ max: 7 }).map((at) => `workflow_w${at}`);
  const graph = fc.array(
    fc.array(fc.oneof({ weight: 3, arbitrary: nested }, { weight: 2, arbitrary: tool }), {
      maxLength: 3,
    }),
    { maxLength: 7 },
  );

  /** The rule as it is told: recursively, without memory. */
  const byTheRule = (
    required: readonly (readonly string[])[],
    of: string,
    path: readonly string[] = [],
  ): boolean => {
    if (path.includes(of)) return true;
    const its = required[Number(/^workflow_w(\d)$/.exec(of)?.[1])];
    if (its === undefined) return of === 'x_files_read' || of === 'core_any';
    return its.every((one) => byTheRule(required, one, [...path, of]));
  };

  test('are available exactly by the rule', graph, (required) => {
    const snapshot = catalogWith(...required.map((its, at) => requiring(`w${at}`, ...its)));
    for (const [at, its] of required.entries()) {
      const found = findWorkflowAvailability(snapshot, `w${at}`);
      const missing = its.filter((one) => !byTheRule(required, one, [`workflow_w${at}`]));
      expect(found.available).toBe(byTheRule(required, `workflow_w${at}`));
      if (!found.available) expect(found.missing).toEqual(expect.arrayContaining(missing));
    }
  });
});
