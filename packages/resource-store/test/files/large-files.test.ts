import { mkdir } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { openFileStore, readDirectory, type GatewayStore } from '../../src/index.ts';
import { configurationDirectory, serverText } from './configuration-directory.ts';
import { workflowFile } from './workflow-documents.ts';

const startYamlThread = (): Worker =>
  new Worker(new URL('fixtures/yaml-thread.ts', import.meta.url), {
    execArgv: ['--conditions', '@gateway/source'],
  });

const PADDING = '# padding\n'.repeat(500);

/** Large files of every kind of outcome. */
const FILES: Readonly<Record<string, string>> = {
  'config.yaml': `toolsetPresets: {}\n${PADDING}`,
  'mcpservers/valid.yaml': serverText('valid') + PADDING,
  'mcpservers/unclosed.yaml': `${PADDING}a: "b\n`,
  'mcpservers/wrong.yaml': `${PADDING}${serverText('other')}  timeout: 0\n  colour: red\n`,
  'mcpservers/empty.yaml': PADDING,
  'workflows/valid.yaml': workflowFile('valid') + PADDING,
  'workflows/wrong.yaml': `${PADDING}kind: Workflow\nspec: {steps: [{}, {id: a}]}\n`,
  'workflows/repeated.yaml': `${PADDING}a: 1\na: 2\n`,
};

const withoutTimes = (state: ReturnType<GatewayStore['current']>): unknown =>
  JSON.parse(
    JSON.stringify({ ...state, config: state.config?.value }).replaceAll(
      /"(?:createdAt|modifiedAt)":[\d.]+/gu,
      '"":0',
    ),
  );

describe('files that are parsed in a thread', () => {
  it('have the resources, problems and positions of other files', async () => {
    const { directory, write, at } = await configurationDirectory();
    await mkdir(at('workflows'));
    for (const [file, text] of Object.entries(FILES)) await write(file, text);
    const store = await openFileStore({ directory, startYamlThread });
    try {
      const expected = await readDirectory(directory);
      expect(expected.problems.length).toBeGreaterThan(8);
      expect(withoutTimes(store.current())).toEqual(withoutTimes(expected));
      expect(store.current().config?.locate(['toolsetPresets'])).toEqual({ line: 1, column: 1 });
    } finally {
      await store.close();
    }
  });
});
