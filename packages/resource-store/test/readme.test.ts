import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { setVariable } from '../examples/change-a-server.ts';
import { follow } from '../examples/follow-a-directory.ts';
import { save } from '../examples/write-a-workflow.ts';
import {
  configurationDirectory,
  openedDirectory,
  serverText,
} from './files/configuration-directory.ts';
import { named, workflow } from './files/workflow-documents.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const shown = [...read('README.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  expect(shown).toEqual([read('examples/follow-a-directory.ts')]);
});

it('saves the content of the example', async () => {
  const { store, content } = await openedDirectory();
  expect(await save(store, workflow('a'))).toBe('done');
  const steps = [{ id: 'one', tool: 'x_s_two' }];
  expect(await save(store, workflow('a', { steps }))).toBe('done');
  expect(content()).toEqual(['a=x_s_two']);
  expect(await save(store, named('../a'))).toMatch(/^the workflow cannot be written: /);
});

it('makes the change of the example', async () => {
  const { store, text } = await openedDirectory({
    'mcpservers/a.yaml': `${serverText('a')}# the end\n`,
  });
  expect(await setVariable(store, 'a', ['LEVEL', 'debug'])).toBe('done');
  expect(await text('mcpservers/a.yaml')).toBe(
    `${serverText('a')}  env:\n    LEVEL: debug\n# the end\n`,
  );
  expect(await setVariable(store, 'b', ['LEVEL', 'debug'])).toBe('missing');
});

it('writes the content of the example', async () => {
  const { directory, write, at } = await configurationDirectory({
    'mcpservers/a.yaml': serverText('a'),
    'mcpservers/b.yaml': '',
  });
  const lines: string[] = [];
  const close = await follow(directory, (line) => lines.push(line));
  await write('mcpservers/b.yaml', serverText('b'));
  await vi.waitFor(() => {
    expect(lines).toEqual([
      `${at('mcpservers/b.yaml')}: the file is empty`,
      'servers: a',
      'servers: a b',
    ]);
  }, 60_000);
  await close();
});
