import { describe, expect, it } from 'vitest';
import {
  buildCatalog,
  listWorkflowEvents,
  type CatalogSnapshot,
  type WorkflowToolEntry,
} from '../src/index.ts';
import { inputOf, server, workflow } from './inventories.ts';

const needing = (name: string, ...requiredTools: readonly string[]): WorkflowToolEntry =>
  workflow(name, { requiredTools });

const deploy = needing('deploy', 'x_files_read', 'x_git_push');
const nested = needing('release', 'workflow_deploy');

const catalogOf = (
  servers: readonly string[],
  workflows: readonly WorkflowToolEntry[] = [deploy],
): CatalogSnapshot => {
  const all = { files: server('files', ['read']), git: server('git', ['push']) } as const;
  const inventories = servers.map((name) => all[name as 'files' | 'git']);
  return buildCatalog(inputOf(inventories, { workflows }));
};

const unavailable = (name: string, ...missing: readonly string[]) => ({
  reason: 'WorkflowUnavailable',
  name,
  missing,
});

describe('workflowEvents', () => {
  it('reports workflows whose tools were removed or are available again', () => {
    const [both, one, none] = [catalogOf(['files', 'git']), catalogOf(['files']), catalogOf([])];
    expect(listWorkflowEvents(both, one)).toEqual([unavailable('deploy', 'x_git_push')]);
    expect(listWorkflowEvents(one, none)).toEqual([
      unavailable('deploy', 'x_files_read', 'x_git_push'),
    ]);
    expect(listWorkflowEvents(none, both)).toEqual([
      { reason: 'WorkflowCapabilitiesRefreshed', name: 'deploy' },
    ]);
  });

  it('reports nothing when availability does not change', () => {
    expect(listWorkflowEvents(catalogOf([]), catalogOf(['files']))).toEqual([]);
    expect(listWorkflowEvents(catalogOf(['git']), catalogOf(['git']))).toEqual([]);
    const same = catalogOf([]);
    expect(listWorkflowEvents(same, same)).toEqual([]);
  });

  it('reports registered tools and no removed ones', () => {
    const [without, with_] = [catalogOf(['files', 'git'], []), catalogOf(['files', 'git'])];
    expect(listWorkflowEvents(without, with_)).toEqual([
      { reason: 'WorkflowToolRegistered', name: 'deploy' },
    ]);
    expect(listWorkflowEvents(with_, without)).toEqual([]);
    expect(listWorkflowEvents(without, catalogOf(['files'], [deploy]))).toEqual([
      { reason: 'WorkflowToolRegistered', name: 'deploy' },
      unavailable('deploy', 'x_git_push'),
    ]);
  });

  it('includes workflows that run workflows', () =>
    expect(
      listWorkflowEvents(
        catalogOf(['files', 'git'], [deploy, nested]),
        catalogOf(['files'], [deploy, nested]),
      ),
    ).toEqual([unavailable('deploy', 'x_git_push'), unavailable('release', 'workflow_deploy')]));

  it('reports only unavailable workflows at the start', () => {
    expect(listWorkflowEvents(undefined, catalogOf(['files', 'git']))).toEqual([]);
    expect(listWorkflowEvents(undefined, catalogOf(['files']))).toEqual([
      unavailable('deploy', 'x_git_push'),
    ]);
  });
});
