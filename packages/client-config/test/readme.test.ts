import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addGateway, importServers } from '../examples/move-servers.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/move-servers.ts'));
});

it('returns the result of the example', () => {
  const text = '{"mcpServers":{"git":{"command":"git-server","env":{"GIT_TOKEN":"abc"}}}}';
  expect(importServers(text)).toEqual([
    {
      name: 'git',
      spec: {
        type: 'stdio',
        command: 'git-server',
        autoStart: false,
        envFrom: [{ name: 'GIT_TOKEN', secretKeyRef: { name: 'git', key: 'GIT_TOKEN' } }],
      },
      keys: ['GIT_TOKEN'],
    },
  ]);
  expect(JSON.parse(addGateway(text))).toMatchObject({
    mcpServers: { git: {}, gateway: { url: 'http://127.0.0.1:8080/mcp' } },
  });
});
