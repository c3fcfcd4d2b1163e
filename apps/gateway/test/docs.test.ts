import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../src/config.ts';
import { METRICS, type MetricDescription } from '../src/metric-table.ts';
import { toolNames } from './harness/answers.ts';
import { HTTP_CLIENTS } from './harness/clients.ts';
import { configDirectory } from './harness/config-directory.ts';
import { eventually } from './harness/eventually.ts';
import { REPOSITORY, startExample, type RunningExample } from './harness/example-copy.ts';
import { CLI, runGateway } from './harness/gateway.ts';
import { codeBlocks, tableRows, type CodeBlock } from './harness/markdown.ts';

const GUIDES = [
  'README.md',
  'docs/quick-start.md',
  'docs/cli.md',
  'docs/meta-tools.md',
  'docs/workflows.md',
];
const PAGES = [
  'README.md',
  ...readdirSync(join(REPOSITORY, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const read = (page: string) => readFileSync(join(REPOSITORY, page), 'utf8');
const blocksOf = (pages: readonly string[], language: string): readonly CodeBlock[] =>
  pages
    .flatMap((page) => codeBlocks(page, read(page)))
    .filter((block) => block.language === language);

/** The examples of a resource, with their names. */
const resourcesOf = (pages: readonly string[], kind: string) =>
  blocksOf(pages, 'yaml').flatMap((block) => {
    const value = parse(block.content) as { kind?: string; metadata?: { name: string } } | null;
    return value?.kind === kind ? [{ ...block, name: value.metadata?.name ?? '' }] : [];
  });

describe('the commands of the guides', () => {
  let example: RunningExample;
  const programs = configDirectory();

  beforeAll(async () => {
    example = await startExample();
    programs.write('gateway', `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
    chmodSync(join(programs.path, 'gateway'), 0o755);
    await example.line((line) => line.startsWith('Or point any MCP client at'));
  });

  afterAll(async () => {
    await example.stop();
    example.remove();
    programs.remove();
  });

  const run = async (command: string): Promise<{ code: number; output: string }> => {
    const PATH = `${programs.path}:${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, PATH, GATEWAY_URL: `${example.url}/mcp` };
    const child = spawn('sh', ['-c', command], { cwd: REPOSITORY, env });
    const [stdout, stderr] = await Promise.all([
      textOfStream(child.stdout),
      textOfStream(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode ?? -1, output: stdout + stderr };
  };

  describe.each(GUIDES)('%s', (page) => {
    beforeAll(async () => {
      const shown = resourcesOf([page], 'Workflow');
      for (const { name, content } of shown)
        writeFileSync(join(example.directory, 'workflows', `${name}.yaml`), content);
      const client = await HTTP_CLIENTS['generation 2, 2025 era'](new URL(example.url));
      await eventually(async () => {
        const live = shown.map(({ name }) => `workflow_${name}`);
        expect(await toolNames(client)).toEqual(expect.arrayContaining(live));
      });
      await client.close();
    });

    it.each(blocksOf([page], 'sh'))('line $line prints what it promises', async (block) => {
      const { code, output } = await run(block.content);
      expect(output).toContain(block.next?.content);
      expect([0, 1]).toContain(code);
    });

    it('run every workflow that the page shows', () => {
      const commands = blocksOf([page], 'sh').map(({ content }) => content);
      for (const { name } of resourcesOf([page], 'Workflow'))
        expect(commands.some((command) => command.includes(`"workflow_${name}"`))).toBe(true);
    });
  });

  it('meet a gateway whose metrics are all in the table of the reference, and no others', async () => {
    const metrics = await (await fetch(`${example.url}/metrics`)).text();
    const served = [...metrics.matchAll(/^# TYPE (gateway_\w+) /gmu)].map(([, name = '']) => name);
    const documented = Object.values<MetricDescription>(METRICS)
      .filter(({ only }) => only === undefined)
      .map(({ name }) => name);
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  it('are there', () => {
    for (const page of GUIDES) expect(blocksOf([page], 'sh').length).toBeGreaterThan(2);
  });
});

describe('the blocks of the documentation', () => {
  const placeOf = ({ page, line }: CodeBlock) => `${page}:${String(line)}`;

  it('are all seen by the tests', () => {
    const fences = PAGES.map((page) => read(page).match(/^\s*(?:`{3,}|~{3,})/gmu)?.length ?? 0);
    expect(fences).toEqual(PAGES.map((page) => 2 * codeBlocks(page, read(page)).length));
  });

  it('are commands only where these are run', () => {
    const others = PAGES.filter((page) => !GUIDES.includes(page));
    expect(blocksOf(others, 'sh').map(placeOf)).toEqual([]);
    const languages = GUIDES.flatMap((page) => codeBlocks(page, read(page)));
    expect([...new Set(languages.map(({ language }) => language))].toSorted()).toEqual([
      'json',
      'sh',
      'text',
      'yaml',
    ]);
  });

  it('promise an output for every command, and none without one', () => {
    const commands = blocksOf(GUIDES, 'sh');
    const silent = commands.filter(({ next }) => next?.language !== 'text' || next.content === '');
    expect(silent.map(placeOf)).toEqual([]);
    const promised = new Set(commands.map(({ next }) => next && placeOf(next)));
    const others = blocksOf(GUIDES, 'text').filter((block) => !promised.has(placeOf(block)));
    // How to start, and the map of the packages.
    for (const { content } of others) expect(content).toMatch(/npm start|^L4 /u);
  });
});

describe('the examples of configuration', () => {
  const servers = resourcesOf(PAGES, 'MCPServer');
  const workflows = resourcesOf(PAGES, 'Workflow');
  const presets = blocksOf(PAGES, 'yaml').filter(({ content }) =>
    /^toolsetPresets:/u.test(content),
  );
  const examples = [
    ...servers.map((block) => ({ ...block, file: `mcpservers/${block.name}.yaml` })),
    ...presets.map((block) => ({ ...block, file: 'config.yaml' })),
  ];

  it.each(examples)('$page:$line is accepted by gateway validate', async ({ content, file }) => {
    const directory = configDirectory();
    directory.write(file, content);
    const { code, stderr } = await runGateway(['validate', '--config-dir', directory.path]);
    directory.remove();
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  });

  it('accept every workflow, without a warning', async () => {
    const directory = configDirectory();
    for (const { name, content } of workflows) directory.write(`workflows/${name}.yaml`, content);
    const { code, stdout, stderr } = await runGateway(['validate', '--config-dir', directory.path]);
    directory.remove();
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    for (const { name } of workflows)
      expect(stdout.join('\n')).toContain(`workflows/${name}.yaml: valid`);
    expect(stdout.join('\n')).not.toContain('warning');
    expect(new Set(workflows.map(({ name }) => name)).size).toBe(workflows.length);
  });

  it('are of these kinds, and are there', () => {
    expect(presets.length).toBeGreaterThan(0);
    expect(servers.map(({ name }) => name)).toContain('files');
    expect(workflows.map(({ name }) => name)).toContain('look-around');
    const count = examples.length + workflows.length;
    expect(count).toBe(blocksOf(PAGES, 'yaml').length);
  });
});

describe('the JSON of the documentation', () => {
  it.each(blocksOf(PAGES, 'json'))('$page:$line parses', ({ content }) => {
    expect(() => JSON.parse(content) as unknown).not.toThrow();
  });
});

describe('docs/configuration.md', () => {
  const page = read('docs/configuration.md');

  it('names every key of config.yaml with its default, and no other', () => {
    const parsed = parseConfig(undefined);
    if (!parsed.ok) throw new Error('the defaults are refused');
    const defaults = Object.fromEntries(
      Object.entries(parsed.config).flatMap(([key, value]): [string, unknown][] =>
        typeof value === 'object' && value !== null
          ? Object.entries(value).map(([inner, one]) => [`${key}.${inner}`, one])
          : [[key, value]],
      ),
    );
    const withoutDefault = ['toolsetPresets', 'workflows.executionsDirectory'];
    const rows = tableRows(page, '`config.yaml`');
    const documented = rows.map(([key = '']) => key.replaceAll('`', ''));
    expect(documented.toSorted()).toEqual([...Object.keys(defaults), ...withoutDefault].toSorted());
    for (const [key, value] of Object.entries(defaults)) {
      if (Array.isArray(value)) continue;
      const row = rows.find(([name]) => name === `\`${key}\``);
      expect([key, row?.[1]?.replaceAll('`', '')]).toEqual([key, String(value)]);
    }
  });

  it('agrees with the bounds of docs/workflows.md', () => {
    const documented = tableRows(page, '`config.yaml`').flatMap(([key = '', value = '']) => {
      const name = /^`workflows\.(\w+)`$/u.exec(key)?.[1];
      return name === undefined || value === 'none' ? [] : [[`\`${name}\``, value]];
    });
    const bounds = tableRows(read('docs/workflows.md'), 'Bounds').map((row) => row.slice(0, 2));
    expect(bounds.toSorted()).toEqual(documented.toSorted());
  });

  it('names every kind of rule', () => {
    const rules = tableRows(page, 'Toolset presets').map(
      ([rule = '']) => /^`(\w+):/u.exec(rule)?.[1],
    );
    for (const key of ['tool', 'pattern', 'server', 'workflow', 'readOnly', 'preset', 'label'])
      expect(rules).toContain(key);
  });
});
