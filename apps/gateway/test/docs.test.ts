import { retryAssertion } from '@gateway/repo-checks';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CONFIG_KEYS } from './harness/config-keys.ts';
import { METRICS } from '@gateway/gateway-runtime';
import { toolNames } from './harness/answers.ts';
import { HTTP_CLIENTS } from './harness/clients.ts';
import { documentedCommands } from './harness/documented-commands.ts';
import { REPOSITORY, startExample, type RunningExample } from './harness/example-copy.ts';
import { setUp, testDirectory } from './harness/lifetime.ts';
import { codeBlocks, tableRows, type CodeBlock } from './harness/markdown.ts';

const GUIDES = [
  'README.md',
  'docs/quick-start.md',
  'docs/cli.md',
  'docs/meta-tools.md',
  'docs/workflows.md',
  'docs/servers.md',
  'docs/agent-manager.md',
  'docs/tutorials/toolset.md',
  'docs/tutorials/workflow.md',
];
/** `docs/upgrading.md` shows charts, and is run by their tests. */
const PAGES = [
  'README.md',
  ...['docs', 'docs/tutorials'].flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder))
      .filter((name) => name.endsWith('.md') && name !== 'upgrading.md')
      .map((name) => `${folder}/${name}`),
  ),
];

const read = (page: string) => readFileSync(join(REPOSITORY, page), 'utf8');
const blocksOf = (pages: readonly string[], language: string): readonly CodeBlock[] =>
  pages
    .flatMap((page) => codeBlocks(page, read(page)))
    .filter((block) => block.language === language);

/** `packages/interop/test/long/own-server.test.ts` runs the commands of these sections, with a gateway of their own. */
const isOwnServer = ({ page, line }: CodeBlock) => {
  const lineOf = (text: string) => read(page).split('\n').indexOf(text) + 1;
  return (
    page === 'docs/quick-start.md' &&
    line > lineOf('## Your own server') &&
    line < lineOf('## The example')
  );
};

/** The commands that these tests run. */
const commandsOf = (pages: readonly string[]): readonly CodeBlock[] =>
  blocksOf(pages, 'sh').filter((block) => !isOwnServer(block));

/** The examples of a resource, with their names. */
const resourcesOf = (pages: readonly string[], kind: string) =>
  blocksOf(pages, 'yaml').flatMap((block) => {
    const value = parse(block.content) as { kind?: string; metadata?: { name: string } } | null;
    return value?.kind === kind ? [{ ...block, name: value.metadata?.name ?? '' }] : [];
  });

const commands = documentedCommands();
afterAll(() => {
  commands.close();
});

describe('the commands of the guides', () => {
  let example: RunningExample;

  setUp(async () => {
    example = await startExample();
    const shown = resourcesOf(GUIDES, 'Workflow');
    for (const { name, content } of shown)
      writeFileSync(join(example.directory, 'workflows', `${name}.yaml`), content);
    await example.line((line) => line.startsWith('Or point any MCP client at'));
    const client = await HTTP_CLIENTS['generation 2, 2025 era'](new URL(example.url));
    await retryAssertion(async () => {
      const live = shown.map(({ name }) => `workflow_${name}`);
      expect(await toolNames(client)).toEqual(expect.arrayContaining(live));
    });
  });

  /** The ports of the guides may belong to another gateway on this machine: its commands ask the copy of the example. */
  const ofCopy = (command: string): string =>
    command
      .replaceAll('http://127.0.0.1:8080', example.managerUrl)
      .replace(
        'diagnose --config-dir apps/gateway/example',
        `diagnose --config-dir ${example.directory}`,
      );
  const run = (command: string) =>
    commands.run(ofCopy(command), { GATEWAY_URL: `${example.url}/mcp` });

  describe.each(GUIDES)('%s', (page) => {
    it.each(commandsOf([page]))('line $line prints what it promises', async (block) => {
      const { code, output } = await run(block.content);
      expect(output).toContain(block.next?.content);
      expect([0, 1]).toContain(code);
    });

    it('run every workflow that the page shows', () => {
      const printed = blocksOf([page], 'sh').map(({ content }) => content);
      for (const { name } of resourcesOf([page], 'Workflow'))
        expect(printed.some((command) => command.includes(`"workflow_${name}"`))).toBe(true);
    });
  });

  it('list the read-only core tools that docs/servers.md names', async () => {
    const listing = await run("gateway tools list --pattern 'core_*' --output json");
    const tools = JSON.parse(listing.output) as readonly {
      readonly name: string;
      readonly annotations?: { readonly readOnlyHint?: boolean };
    }[];
    const reading = tools.flatMap(({ name, annotations }) =>
      annotations?.readOnlyHint === true ? [name] : [],
    );
    const documented = tableRows(read('docs/servers.md'), 'The core tools').flatMap(
      ([names = '', , reads]) =>
        reads === 'yes' ? [...names.matchAll(/`(\w+)`/gu)].map(([, name = '']) => name) : [],
    );
    expect(documented.toSorted()).toEqual(reading.toSorted());
  });

  it('run against a gateway that exposes exactly the metrics of the reference', async () => {
    const metrics = await (await fetch(`${example.url}/metrics`)).text();
    const served = [...metrics.matchAll(/^# TYPE (gateway_\w+) /gmu)].map(([, name = '']) => name);
    const documented = Object.values(METRICS).map(({ name }) => name);
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  it('include the complete program of docs/agent-manager.md', () => {
    const program = read('apps/agent-manager/example/client.mjs').trimEnd();
    const shown = blocksOf(['docs/agent-manager.md'], 'js').map(({ content }) => content);
    expect(shown).toEqual([program.slice(program.indexOf('import ')).trimEnd()]);
  });

  it('exist', () => {
    for (const page of GUIDES) expect(blocksOf([page], 'sh')).not.toEqual([]);
  });
});

describe('the blocks of the documentation', () => {
  const placeOf = ({ page, line }: CodeBlock) => `${page}:${String(line)}`;

  it('are all covered by tests', () => {
    const fences = PAGES.map((page) => read(page).match(/^\s*(?:`{3,}|~{3,})/gmu)?.length ?? 0);
    expect(fences).toEqual(PAGES.map((page) => 2 * codeBlocks(page, read(page)).length));
  });

  it('are commands only on pages whose commands are tested', () => {
    const others = PAGES.filter((page) => !GUIDES.includes(page));
    // The tests of the charts run the commands of Helm.
    const commands = blocksOf(others, 'sh').filter(({ content }) => !content.startsWith('helm '));
    expect(commands.map(placeOf)).toEqual([]);
    const languages = GUIDES.flatMap((page) => codeBlocks(page, read(page)));
    expect([...new Set(languages.map(({ language }) => language))].toSorted()).toEqual([
      'js',
      // The diagram of the README, which hosts of code draw.
      'mermaid',
      'sh',
      'text',
      'yaml',
    ]);
  });

  it('have an output for every command, and no output without a command', () => {
    const printed = blocksOf(GUIDES, 'sh');
    const silent = printed.filter(({ next }) => next?.language !== 'text' || next.content === '');
    expect(silent.map(placeOf)).toEqual([]);
    const promised = new Set(printed.map(({ next }) => next && placeOf(next)));
    const others = blocksOf(GUIDES, 'text').filter((block) => !promised.has(placeOf(block)));
    // How to start, the map of the packages, commands for other hosts, and what an agent is answered.
    const known =
      /npm start|npm run setup|^alias gateway=|^L4 |example\.com|^These are the first /u;
    for (const { content } of others) expect(content).toMatch(known);
  });

  it('have in README.md the commands of the quick start', () => {
    const linesOf = (page: string) =>
      codeBlocks(page, read(page)).flatMap(({ content }) => content.split('\n'));
    const block = blocksOf(['README.md'], 'text').find(({ content }) =>
      content.startsWith('eval '),
    );
    const lines = block?.content.split('\n') ?? [];
    expect(lines.at(-1)).toMatch(/^gateway serve/u);
    expect(linesOf('docs/quick-start.md')).toEqual(expect.arrayContaining(lines));
  });
});

describe('the examples of configuration', () => {
  const servers = resourcesOf(PAGES, 'MCPServer');
  const workflows = resourcesOf(PAGES, 'Workflow');
  const configurations = blocksOf(PAGES, 'yaml').filter(({ content }) =>
    /^(?:audit|auth|http|state|stateDirectory|toolsetPresets):/u.test(content),
  );
  const examples = [
    ...servers.map((block) => ({ ...block, file: `mcpservers/${block.name}.yaml` })),
    ...configurations.map((block) => ({ ...block, file: 'config.yaml' })),
  ];

  /** Validates a directory with these files, and returns the output. */
  const validated = async (files: Readonly<Record<string, string>>): Promise<string> => {
    const directory = testDirectory();
    for (const [file, content] of Object.entries(files)) directory.write(file, content);
    const { code, output } = await commands.run(`gateway validate --config-dir ${directory.path}`);
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining('no problems') as string,
    });
    return output;
  };

  it.each(examples)('$page:$line is accepted by gateway validate', async ({ content, file }) => {
    await validated({ [file]: content });
  });

  it('accept every workflow, without a warning', async () => {
    const files = workflows.map(({ name, content }) => [`workflows/${name}.yaml`, content]);
    const output = await validated(Object.fromEntries(files) as Record<string, string>);
    for (const { name } of workflows) expect(output).toContain(`workflows/${name}.yaml: valid`);
    expect(output).not.toMatch(/^note/mu);
    expect(new Set(workflows.map(({ name }) => name)).size).toBe(workflows.length);
  });

  it('are of these kinds, and exist', () => {
    expect(configurations.length).toBeGreaterThan(0);
    expect(servers.map(({ name }) => name)).toContain('files');
    expect(workflows.map(({ name }) => name)).toContain('read-todo');
    const count = examples.length + workflows.length;
    // A block that is not a file of the gateway has a first line that identifies it.
    const files = blocksOf(PAGES, 'yaml').filter(({ content }) => !content.startsWith('# '));
    expect(count).toBe(files.length);
  });
});

describe('the JSON of the documentation', () => {
  it.each(blocksOf(PAGES, 'json'))('$page:$line parses', ({ content }) => {
    expect(() => JSON.parse(content) as unknown).not.toThrow();
  });
});

it('docs/reference/configuration.md names the bounds of every number', () => {
  const numbers = CONFIG_KEYS.filter(({ value }) => /^\d+$/u.test(value));
  expect(numbers.length).toBeGreaterThan(40);
  expect(numbers.filter(({ accepted }) => !/^\d+ to \d+$/u.test(accepted))).toEqual([]);
});

it('docs/configuration.md names every kind of rule', () => {
  const rules = tableRows(read('docs/configuration.md'), 'Toolset presets').map(
    ([rule = '']) => /^`(\w+):/u.exec(rule)?.[1],
  );
  const kinds = ['tool', 'pattern', 'server', 'workflow', 'readOnly', 'preset', 'label'];
  expect(rules).toEqual(expect.arrayContaining(kinds));
});
