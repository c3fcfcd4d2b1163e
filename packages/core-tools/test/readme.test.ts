import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addWorkflow } from '../examples/add-workflow.ts';
import { serviceStatus } from '../examples/service-status.ts';
import { portsOver } from './ports.ts';
import { wiki } from './servers.ts';
import { workflowPorts } from './workflows.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const shown = [...read('README.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  expect(shown).toEqual([read('examples/service-status.ts')]);
});

it('returns the status of a service', async () => {
  expect(await serviceStatus(portsOver([wiki]), 'wiki')).toContain('auth_required');
  expect(await serviceStatus(portsOver([wiki]), 'files')).toBe(
    '[{"type":"text","text":"Failed to get service status: service files not found"}]',
  );
});

it('adds a valid workflow, and refuses an invalid one', async () => {
  const ports = workflowPorts();
  expect((await addWorkflow(ports, 'x_files_read')).join('\n')).toMatch(
    /Validation successful for workflow read-one.*\n.*Workflow created successfully/,
  );
  expect(await addWorkflow(ports, '')).toEqual([
    expect.stringContaining('Validation failed: steps: step 0 (read): '),
  ]);
  expect(ports.orders).toEqual(['create read-one']);
});
