import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCatalog, rankTools } from '@gateway/catalog';
import { parseConfig } from '@gateway/gateway-config';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSearch } from '../../src/search/open-search.ts';
import { startEmbeddingServer } from './embedding-scene.ts';

const KEY = 'sk-top-secret';

const tools = ['folder', 'weather'].map((name) => ({
  name,
  description: `Tool ${name}.`,
  inputSchema: { type: 'object', properties: { [`of_${name}`]: {} } },
}));
const lists = { resources: [], resourceTemplates: [], prompts: [] };
const catalog = buildCatalog({
  servers: [{ name: 's', labels: {}, tools, ...lists }],
  workflows: [],
  coreTools: [],
});

/** Opens the search of a configuration in a directory with an endpoint of embeddings. */
const start = async (files: Readonly<Record<string, number>> = {}) => {
  const directory = mkdtempSync(join(tmpdir(), 'search-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, mode] of Object.entries(files)) {
    writeFileSync(join(directory, name), `${KEY}\n`);
    chmodSync(join(directory, name), mode);
  }
  const { url, received } = await startEmbeddingServer();
  const log: string[] = [];
  const open = (search: object, environment: Readonly<Record<string, string>> = {}) => {
    const parsed = parseConfig({ search });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    const logger = pino({}, { write: (line: string) => log.push(line) });
    const opened = openSearch({ config: parsed.config, directory, environment, logger });
    onTestFinished(() => opened.close());
    return opened.port;
  };
  const openEmbeddings = (rest: object, environment?: Readonly<Record<string, string>>) =>
    open({ embeddings: { url, model: 'm', timeoutMs: 20_000, ...rest } }, environment);
  return { open, openEmbeddings, received, log };
};

/** The names that the second ranking gives, asked until it has the vectors. */
const findNearest = async (
  port: ReturnType<Awaited<ReturnType<typeof start>>['open']>,
): Promise<readonly string[]> => {
  const ask = () => port.nearest?.('umbrella', catalog.tools, new AbortController().signal);
  await expect.poll(ask).toBeDefined();
  return ((await ask()) ?? []).map(({ name }) => name);
};

it('adds the synonyms of the configuration', async () => {
  const { open } = await start();
  const { nearest, thesaurus } = open({ synonyms: [['gizmo', 'weather']] });
  const [first] = rankTools(catalog, 'gizmo', catalog.tools, { thesaurus });
  expect(first?.tool.name).toBe('x_s_weather');
  expect(nearest).toBeUndefined();
});

describe('embeddings', () => {
  it('rank the tools by name, arguments and description', async () => {
    const { openEmbeddings, received } = await start();
    expect(await findNearest(openEmbeddings({}))).toEqual(['x_s_weather', 'x_s_folder']);
    const texts = received.flatMap(({ input }) => input);
    expect(texts).toContain('x_s_weather \nof_weather\nTool weather.');
    expect(received.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('use the key of the file or of the environment, and show it nowhere', async () => {
    const { openEmbeddings, received, log } = await start({ key: 0o600 });
    await findNearest(openEmbeddings({ keyFile: 'key' }));
    expect(received.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    await findNearest(openEmbeddings({ keyFile: 'key' }, { GATEWAY_EMBEDDINGS_KEY: 'other' }));
    expect(received.at(-1)?.headers.authorization).toBe('Bearer other');
    expect(log.join()).not.toContain(KEY);
  });

  it.each([
    ['missing', 'does not exist'],
    ['open', 'can be read by other users'],
  ])('are not used without the key that is configured: %s', async (keyFile, reason) => {
    const { openEmbeddings, log } = await start({ open: 0o644 });
    expect(openEmbeddings({ keyFile }).nearest).toBeUndefined();
    expect(log.join()).toContain(reason);
    expect(log.join()).not.toContain(KEY);
  });
});

it.each([
  [{ synonyms: [['one']] }],
  [{ synonyms: [['a, b', 'c']] }],
  [{ synonyms: [['123', 'c']] }],
  [{ embeddings: { model: 'm' } }],
  [{ embeddings: { url: 'https://user:pass@host/', model: 'm' } }],
  [{ embeddings: { url: 'https://host/?key=1', model: 'm' } }],
  [{ embeddings: { url: 'file:///etc/passwd', model: 'm' } }],
])('the configuration refuses %j', (search) => {
  const parsed = parseConfig({ search });
  expect(parsed.ok ? [] : parsed.issues).toHaveLength(1);
});
