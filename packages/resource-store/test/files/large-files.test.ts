import { parseYaml } from '@gateway/files';
import { describe, expect, it } from 'vitest';
import {
  openFileStore,
  readDirectory,
  type GatewayStore,
  type ExternalYamlParser,
} from '../../src/index.ts';
import { configurationDirectory, serverText } from './configuration-directory.ts';
import { toWorkflowFile } from './workflow-documents.ts';

const parseElsewhere: ExternalYamlParser = (text, paths = []) => {
  const parsed = parseYaml(text);
  return Promise.resolve(
    structuredClone(
      parsed.ok
        ? { ok: true, value: parsed.value, positions: paths.map((path) => parsed.locate(path)) }
        : parsed,
    ),
  );
};

const PADDING = '# padding\n'.repeat(500);

/** Large files of every kind of outcome. */
const FILES: Readonly<Record<string, string>> = {
  'config.yaml': `toolsetPresets: {}\n${PADDING}`,
  'mcpservers/valid.yaml': serverText('valid') + PADDING,
  'mcpservers/unclosed.yaml': `${PADDING}a: "b\n`,
  'mcpservers/wrong.yaml': `${PADDING}${serverText('other')}  timeout: 0\n  colour: red\n`,
  'mcpservers/empty.yaml': PADDING,
  'workflows/valid.yaml': toWorkflowFile('valid') + PADDING,
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

describe('files that are parsed elsewhere', () => {
  it('have the resources, problems and positions of other files', async () => {
    const { directory } = await configurationDirectory(FILES);
    const store = await openFileStore({ directory, parseElsewhere });
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
