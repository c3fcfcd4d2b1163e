import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../src/config.ts';
import { configDirectory } from './harness/config-directory.ts';
import { REPOSITORY, startExample, type RunningExample } from './harness/example-copy.ts';
import { runGateway } from './harness/gateway.ts';
import { codeBlocks, tableRows, type CodeBlock } from './harness/markdown.ts';

const GUIDES = ['README.md', 'docs/quick-start.md', 'docs/meta-tools.md'];
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

describe('the commands of the guides', () => {
  let example: RunningExample;

  beforeAll(async () => {
    example = await startExample();
    await example.line((line) => line.startsWith('Or point any MCP client at'));
  });

  afterAll(async () => {
    await example.stop();
    example.remove();
  });

  const run = async (command: string): Promise<{ code: number; output: string }> => {
    const env = { ...process.env, GATEWAY_URL: `${example.url}/mcp` };
    const child = spawn('sh', ['-c', command], { cwd: REPOSITORY, env });
    const [stdout, stderr] = await Promise.all([
      textOfStream(child.stdout),
      textOfStream(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode ?? -1, output: stdout + stderr };
  };

  it.each(blocksOf(GUIDES, 'sh'))('$page:$line', async ({ content, next }) => {
    const { code, output } = await run(content);
    const promised = next?.language === 'text' ? next.content : '';
    expect(output).toContain(promised);
    // A refusal ends with 1, and a guide that shows one shows its text.
    expect([0, promised === '' ? 0 : 1]).toContain(code);
  });

  it('meet a gateway whose metrics are all documented, and no others', async () => {
    const metrics = await (await fetch(`${example.url}/metrics`)).text();
    const served = [...metrics.matchAll(/^# TYPE (gateway_\w+) /gmu)].map(([, name = '']) => name);
    const documented = tableRows(read('docs/configuration.md'), 'HTTP').flatMap(
      ([name = '']) => /^`(gateway_\w+)`$/u.exec(name)?.[1] ?? [],
    );
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  it('are there', () => {
    for (const page of GUIDES) expect(blocksOf([page], 'sh').length).toBeGreaterThan(2);
  });
});

describe('the examples of configuration', () => {
  const examples = blocksOf(PAGES, 'yaml').flatMap((block) => {
    const value = parse(block.content) as { kind?: string; metadata?: { name: string } } | null;
    if (value?.kind === 'MCPServer')
      return [{ ...block, file: `mcpservers/${value.metadata?.name ?? ''}.yaml` }];
    return value !== null && 'toolsetPresets' in value ? [{ ...block, file: 'config.yaml' }] : [];
  });

  it.each(examples)('$page:$line is accepted by gateway validate', async ({ content, file }) => {
    const directory = configDirectory();
    directory.write(file, content);
    const { code, stderr } = await runGateway(['validate', '--config-dir', directory.path]);
    directory.remove();
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  });

  it('are there, of both kinds', () => {
    expect(examples.map(({ file }) => file)).toContain('config.yaml');
    expect(examples.map(({ file }) => file)).toContain('mcpservers/files.yaml');
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
    const { http, workflows, ...others } = parsed.config;
    const within = (group: string, values: object) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [`${group}.${key}`, value]));
    const defaults = { ...others, ...within('http', http), ...within('workflows', workflows) };
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

  it('names every kind of rule', () => {
    const rules = tableRows(page, 'Toolset presets').map(
      ([rule = '']) => /^`(\w+):/u.exec(rule)?.[1],
    );
    for (const key of ['tool', 'pattern', 'server', 'workflow', 'readOnly', 'preset', 'label'])
      expect(rules).toContain(key);
  });

  it('names every command and every flag, and no other', async () => {
    const { stdout } = await runGateway(['--help']);
    const commands = stdout.flatMap((line) => /^ {2}([a-z]+) \[options\]/u.exec(line)?.[1] ?? []);
    expect(commands).toEqual(['serve', 'validate', 'stdio']);
    const flags = new Set<string>();
    for (const command of commands) {
      const help = await runGateway([command, '--help']);
      for (const line of help.stdout) {
        const flag = /^ {2}(--[a-z-]+ <\w+>)/u.exec(line)?.[1];
        if (flag !== undefined) flags.add(flag);
      }
    }
    const documented = tableRows(page, 'Command line').map(([name = '']) =>
      name.replaceAll('`', ''),
    );
    expect(documented.toSorted()).toEqual(
      [...commands.map((command) => `gateway ${command}`), ...flags].toSorted(),
    );
  });
});
