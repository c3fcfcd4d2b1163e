import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCatalog, rankTools } from '@gateway/catalog';
import { parseConfig } from '@gateway/gateway-config';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSearch, type OpenSearch } from '../../src/search/open-search.ts';

const KEY = 'sk-top-secret';

const catalog = buildCatalog({
  servers: [
    {
      name: 's',
      labels: {},
      tools: ['alpha', 'beta'].map((name) => ({
        name,
        description: `Tool ${name}.`,
        inputSchema: { type: 'object', properties: { [`of_${name}`]: {} } },
      })),
      resources: [],
      resourceTemplates: [],
      prompts: [],
    },
  ],
  workflows: [],
  coreTools: [],
});

let directory: string;
let url: string;
const authorizations: (string | undefined)[] = [];
const inputs: string[][] = [];

/** Everything is like the tool `beta`. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
    authorizations.push(request.headers.authorization);
    inputs.push(input);
    const data = input.map((text, index) => ({
      index,
      embedding: [1, text.includes('alpha') ? 1 : 0],
    }));
    response.end(JSON.stringify({ data }));
  });
});

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'search-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port.toString()}/v1/embeddings`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});

interface Opened {
  readonly search: OpenSearch;
  readonly log: string[];
}

function open(search: object, environment: Readonly<Record<string, string>> = {}): Opened {
  const parsed = parseConfig({ search });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const log: string[] = [];
  const logger = pino({}, { write: (line: string) => log.push(line) });
  return { search: openSearch({ config: parsed.config, directory, environment, logger }), log };
}

const embeddings = (rest: object = {}) => ({
  embeddings: { url, model: 'm', timeoutMs: 20_000, ...rest },
});

/** The names that the second ranking gives, asked until it has the vectors. */
async function findNearestVectors({ search: { port } }: Opened): Promise<readonly string[]> {
  const ask = () => port.nearest?.('anything', catalog.tools, new AbortController().signal);
  await expect.poll(ask).toBeDefined();
  return ((await ask()) ?? []).map(({ name }) => name);
}

it('adds the synonyms of the configuration', () => {
  const { port } = open({ synonyms: [['gizmo', 'beta']] }).search;
  const { thesaurus } = port;
  const [first] = rankTools(catalog, 'gizmo', catalog.tools, { thesaurus });
  expect(first?.tool.name).toBe('x_s_beta');
  expect(port.nearest).toBeUndefined();
});

describe('embeddings', () => {
  it('rank the tools by name, arguments and description', async () => {
    const opened = open(embeddings());
    expect(await findNearestVectors(opened)).toEqual(['x_s_beta', 'x_s_alpha']);
    expect(inputs.flat()).toContain('x_s_beta \nof_beta\nTool beta.');
    expect(authorizations.at(-1)).toBeUndefined();
    opened.search.close();
  });

  it('use the key of the file or of the environment, and show it nowhere', async () => {
    writeFileSync(join(directory, 'key'), `${KEY}\n`, { mode: 0o600 });
    const ofFile = open(embeddings({ keyFile: 'key' }));
    await findNearestVectors(ofFile);
    expect(authorizations.at(-1)).toBe(`Bearer ${KEY}`);
    const ofEnvironment = open(embeddings({ keyFile: 'key' }), { GATEWAY_EMBEDDINGS_KEY: 'other' });
    await findNearestVectors(ofEnvironment);
    expect(authorizations.at(-1)).toBe('Bearer other');
    expect([...ofFile.log, ...ofEnvironment.log].join()).not.toContain(KEY);
    ofFile.search.close();
    ofEnvironment.search.close();
  });

  it('are not used without the key that is configured', () => {
    writeFileSync(join(directory, 'open'), KEY);
    chmodSync(join(directory, 'open'), 0o644);
    for (const [keyFile, reason] of [
      ['missing', 'does not exist'],
      ['open', 'can be read by other users'],
    ]) {
      const { search, log } = open(embeddings({ keyFile }));
      expect(search.port.nearest).toBeUndefined();
      expect(log.join()).toContain(reason);
      expect(log.join()).not.toContain(KEY);
    }
  });
});

describe('the configuration', () => {
  const problems = (search: object): readonly string[] => {
    const parsed = parseConfig({ search });
    return parsed.ok ? [] : parsed.issues.map(({ message }) => message);
  };

  it.each([
    [{ synonyms: [['one']] }],
    [{ synonyms: [['a, b', 'c']] }],
    [{ synonyms: [['123', 'c']] }],
    [{ embeddings: { model: 'm' } }],
    [{ embeddings: { url: 'https://user:pass@host/', model: 'm' } }],
    [{ embeddings: { url: 'https://host/?key=1', model: 'm' } }],
    [{ embeddings: { url: 'file:///etc/passwd', model: 'm' } }],
  ])('refuses %j', (search) => expect(problems(search)).toHaveLength(1));
});
