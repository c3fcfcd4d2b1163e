import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serving } from './readme-example.ts';
import { call, post } from './wire-client.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');

it('shows in the README the code that runs here', async () => {
  const [, block] = /```ts\n([^]*?)```/.exec(read('../README.md')) ?? [];
  const example = read('readme-example.ts').replace("'../src/index.ts'", "'@gateway/mcp-http'");
  expect(block).toBe(example);
  const answer = await post(`${serving.url}/mcp`, call('now'));
  expect(answer.json.result.content[0].text).toMatch(/^\d{4}-\d\d-\d\dT/);
  await serving.drain(1_000);
});
