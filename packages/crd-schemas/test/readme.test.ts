import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { check } from '../examples/check-a-server.ts';
import { review } from '../examples/check-a-workflow.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const resource = { apiVersion: 'gateway.internal/v1alpha1', kind: 'MCPServer' };
const metadata = { name: 'files' };

it('shows the example of a server as it is run here', () => {
  const shown = [...read('README.md').matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text);
  expect(shown).toEqual([read('examples/check-a-server.ts')]);
});

it('answers as the example of a server says', () => {
  expect(check({ ...resource, metadata, spec: { type: 'stdio', command: 'serve-files' } })).toEqual(
    ['files: serve-files'],
  );
  expect(check({ ...resource, metadata, spec: { type: 'stdio', timeout: 0 } })).toEqual([
    'spec.timeout: must be at least 1',
    'spec.command: command is required when type is stdio',
  ]);
});

it('answers as the example of a workflow says', () => {
  const workflow = {
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'Workflow',
    metadata: { name: 'restart' },
  };
  const broken = {
    steps: [{ id: 'get', tool: 'x_k8s_get', args: { name: '{{ .input.name | shout }}' } }],
    onFailure: [{ id: 'get', tool: 'x_chat_post' }],
  };
  expect(review({ ...workflow, spec: broken })).toEqual([
    'spec.steps[0].args.name: template line 1, column 18: function "shout" not defined',
    "spec.onFailure[0].id: duplicate step ID 'get' found",
  ]);
  const condition = { fromStep: 'got', expect: { success: true } };
  const suspicious = {
    steps: [
      { id: 'get', tool: 'x_k8s_get' },
      { id: 'post', tool: 'x_chat_post', condition },
    ],
  };
  expect(review({ ...workflow, spec: suspicious })).toEqual([
    'Workflow "restart" has conditions on results of steps that it does not have, on: post. Such a condition fails its step.',
  ]);
});
