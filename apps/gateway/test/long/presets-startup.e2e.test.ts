import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { documentedCommands } from '../harness/documented-commands.ts';
import { APP, CLI, launchGateway, runGateway } from '../harness/gateway.ts';
import { startNode } from '../harness/process.ts';

const directories: ConfigDirectory[] = [];
const commands = documentedCommands();

afterAll(() => {
  commands.close();
  for (const { remove } of directories) remove();
});

function directoryWith(config: string): ConfigDirectory {
  const directory = createTestConfigDirectory();
  directories.push(directory);
  directory.write('config.yaml', config);
  return directory;
}

/** Returns the errors of `serve` for an invalid `config.yaml`, as `line:column: text`. */
async function refusalsOf(
  config: string,
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const { path } = directoryWith(config);
  const { code, output } = await commands.run(`gateway serve --config-dir '${path}' --port 0`);
  const lines = output.trimEnd().split('\n');
  return { code, lines: lines.map((line) => line.replace(`${join(path, 'config.yaml')}:`, '')) };
}

interface Row {
  readonly title: string;
  /** The rules of one preset, or several presets, indented by two. */
  readonly presets: string;
  readonly line: string;
}

const RULES = 'tool, pattern, server, workflow, readOnly, preset, label';

/** One row of §7.3 each, and what else a file can get wrong. */
const ROWS: readonly Row[] = [
  {
    title: 'redefines a built-in preset',
    presets: `
  read-only:
    include: [{ tool: core_config_get }]`,
    line: '2:3: toolsetPresets: preset "read-only" is built in and cannot be redefined',
  },
  {
    title: 'has a rule that sets no key',
    presets: `
  notes:
    include:
      - tool: x_a_b
      - {}`,
    line: `5:9: toolsetPresets: preset "notes" include[1] must set exactly one of ${RULES}`,
  },
  {
    title: 'has a rule that sets more than one key',
    presets: `
  notes:
    include: []
    exclude:
      - server: files
        tool: x_a_b`,
    line: `5:9: toolsetPresets: preset "notes" exclude[0] must set exactly one of ${RULES}`,
  },
  {
    title: 'has a pattern that does not compile',
    presets: `
  notes:
    include:
      - pattern: 'x_[a-'`,
    line: '4:9: toolsetPresets: preset "notes" include[0] pattern "x_[a-" is invalid: syntax error in pattern',
  },
  {
    title: 'has readOnly false',
    presets: `
  notes:
    include:
      - readOnly: false`,
    line: '4:9: toolsetPresets: preset "notes" include[0] readOnly: false selects nothing; omit the rule',
  },
  {
    title: 'composes a preset in exclude',
    presets: `
  notes:
    include: [{ server: files }]
    exclude: [{ preset: full }]`,
    line: '4:17: toolsetPresets: preset "notes" exclude[0] cannot compose a preset in exclude; only include may',
  },
  {
    title: 'composes an unknown preset',
    presets: `
  notes:
    include:
      - preset: note`,
    line: '4:9: toolsetPresets: preset "notes" include[0] includes unknown preset "note"; known presets: read-only, none, full, notes',
  },
  {
    title: 'composes in a cycle',
    presets: `
  a:
    include: [{ preset: b }]
  b:
    include: [{ tool: x }, { preset: a }]`,
    line: '3:17: toolsetPresets: preset "a" include[0] preset composition cycles: a -> b -> a',
  },
  {
    title: 'has a rule with an unknown key',
    presets: `
  notes:
    include:
      - servers: files`,
    line: `4:9: toolsetPresets: preset "notes" include[0] has the unknown key "servers"; a rule sets exactly one of ${RULES}`,
  },
  {
    title: 'has a label that is none',
    presets: `
  notes:
    include:
      - label: '=files'`,
    line: '4:9: toolsetPresets: preset "notes" include[0] label "=files" is invalid; expected <key>=<value> or <key>',
  },
  {
    title: 'names a preset as no header could',
    presets: `
  my notes:
    include: []`,
    line: "2:3: toolsetPresets: preset name \"my notes\" is invalid; use letters, digits, '.', '_' or '-'",
  },
];

describe('serve refuses to start with exit code 2 when toolsetPresets', () => {
  it.each(ROWS)('$title', async ({ presets, line }) => {
    expect(await refusalsOf(`toolsetPresets:${presets}\n`)).toEqual({ code: 2, lines: [line] });
  });

  it('has a label rule, on a gateway older than 5.12.0', async () => {
    const { path } = directoryWith(
      'toolsetPresets:\n  files:\n    include:\n      - label: team=files\n',
    );
    const older = olderGateway();
    const { exited, stderr } = startNode([older, 'serve', '--config-dir', path, '--port', '0']);
    expect((await exited).code).toBe(2);
    expect(stderr).toEqual([
      `${join(path, 'config.yaml')}:4:9: toolsetPresets: preset "files" include[0] label requires gateway 5.12.0 or later; this is 5.11.0`,
    ]);
  });

  it('has several problems: all of them are named at once, in the order of their lines', async () => {
    const { code, lines } = await refusalsOf(`http:
  prot: 9000
toolsetPresets:
  full: {}
  a:
    include:
      - readOnly: false
      - {}
      - preset: ghost
last: 1
`);
    expect(code).toBe(2);
    expect(lines).toEqual([
      '2:3: http.prot: unknown key',
      '4:3: toolsetPresets: preset "full" is built in and cannot be redefined',
      '7:9: toolsetPresets: preset "a" include[0] readOnly: false selects nothing; omit the rule',
      `8:9: toolsetPresets: preset "a" include[1] must set exactly one of ${RULES}`,
      '9:9: toolsetPresets: preset "a" include[2] includes unknown preset "ghost"; known presets: read-only, none, full, a',
      '10:1: last: unknown key',
    ]);
  });

  it('is a directory: the gateway does not start with defaults', async () => {
    const directory = createTestConfigDirectory();
    directories.push(directory);
    const file = join(directory.path, 'config.yaml');
    const refused = { code: 2, stdout: [] };
    const serve = () => runGateway(['serve', '--config-dir', directory.path, '--port', '0']);
    symlinkSync('..data/config.yaml', file);
    expect(await serve()).toEqual({
      ...refused,
      stderr: [`${file}: is a link to a file that does not exist`],
    });
    rmSync(file);
    mkdirSync(file);
    expect(await serve()).toEqual({ ...refused, stderr: [`${file}: is not a regular file`] });
  });

  it('is valid: the valid counterparts of all these start', async () => {
    const { path } = directoryWith(`toolsetPresets:
  read-only-notes:
    include: [{ tool: core_config_get }]
  notes:
    include:
      - pattern: 'x_[a-z]*'
      - readOnly: true
      - server: files
      - label: team=files
      - label: team=
      - label: team
      - workflow: digest
    exclude:
      - pattern: '*_delete_*'
  all:
    include: [{ preset: full }, { preset: notes }]
`);
    const gateway = await launchGateway(path);
    expect((await gateway.stop()).code).toBe(0);
  });
});

/** The built gateway with an older version number. */
function olderGateway(): string {
  const home = createTestConfigDirectory();
  directories.push(home);
  const dist = join(home.path, 'dist');
  mkdirSync(dist);
  symlinkSync(join(APP, 'node_modules'), join(home.path, 'node_modules'));
  copyFileSync(join(APP, 'package.json'), join(home.path, 'package.json'));
  let found = 0;
  for (const file of readdirSync(dirname(CLI)).filter((name) => /\.c?js$/u.test(name))) {
    const parts = readFileSync(join(dirname(CLI), file), 'utf8').split('"5.13.0"');
    found += parts.length - 1;
    writeFileSync(join(dist, file), parts.join('"5.11.0"'));
  }
  // The program and the part that serves are built apart.
  expect(found).toBe(2);
  return join(dist, 'cli.js');
}

describe('validate', () => {
  it('reports valid files and exits with 0', async () => {
    const directory = directoryWith('toolsetPresets:\n  a:\n    include: [{ server: files }]\n');
    directory.server('files', { type: 'stdio', command: 'mcp-server-filesystem' });
    expect(await runGateway(['validate', '--config-dir', directory.path])).toEqual({
      code: 0,
      stdout: [`ok       files: ${directory.path}: 1 server, 0 workflows`, 'no problems'],
      stderr: [],
    });
  });

  it('reports the status of each workflow', async () => {
    const directory = directoryWith('{}\n');
    directory.workflow('good', {
      steps: [
        { id: 'a', tool: 'x_files_read_text_file', store: true },
        { id: 'b', parallel: [{ id: 'c', tool: 'core_service_list' }] },
      ],
    });
    directory.workflow('plain', { steps: [{ id: 'a', tool: 'x_a' }] });
    expect(await runGateway(['validate', '--config-dir', directory.path])).toEqual({
      code: 0,
      stdout: [
        `ok       files: ${directory.path}/workflows/good.yaml: valid, 2 steps, tools: core_service_list, x_files_read_text_file`,
        expect.stringMatching(
          /^note {5}files: .*workflows\/good\.yaml: Workflow "good" uses the deprecated 'store' flag on: a\. /u,
        ),
        `ok       files: ${directory.path}/workflows/plain.yaml: valid, 1 step, tools: x_a`,
        `ok       files: ${directory.path}: 0 servers, 2 workflows`,
        'no problems',
      ],
      stderr: [],
    });
  });

  it('reports the position of a problem in a workflow', async () => {
    const directory = directoryWith('{}\n');
    directory.workflow('bad', {
      steps: [
        { id: 'a', tool: 'x_a', args: { text: '{{ env .input.x }}' } },
        { id: 'a', tool: 'x_b' },
      ],
    });
    const { code, stdout, stderr } = await runGateway(['validate', '--config-dir', directory.path]);
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: [
        `note     files: ${directory.path}/workflows/bad.yaml: not valid, 2 steps, tools: x_a, x_b`,
        '2 problems',
      ],
    });
    expect(stderr).toHaveLength(2);
    for (const line of stderr) expect(line).toMatch(/workflows\/bad\.yaml:\d+:\d+: spec\.steps/u);
  });

  it('names every problem of every file and exits with 2', async () => {
    const directory = directoryWith('toolsetPresets:\n  none: { include: [] }\n');
    directory.server('good', { type: 'stdio', command: 'true' });
    directory.server('bad', { type: 'stdio', timeout: 301 });
    directory.write('mcpservers/broken.yml', 'kind: [MCPServer\n');
    directory.write(
      'mcpservers/other.yaml',
      'apiVersion: gateway.internal/v1alpha1\nkind: MCPServer\nmetadata: { name: another }\nspec: { type: stdio, command: "true", typo: 1 }\n',
    );
    const { code, stdout, stderr } = await runGateway(['validate', '--config-dir', directory.path]);
    expect(code).toBe(2);
    expect(stdout).toEqual(['6 problems']);
    expect(stderr.map((line) => line.replace(`${directory.path}/`, ''))).toEqual([
      'config.yaml:2:3: toolsetPresets: preset "none" is built in and cannot be redefined',
      'mcpservers/bad.yaml:6:1: spec.command: command is required when type is stdio',
      'mcpservers/bad.yaml:8:3: spec.timeout: must be at most 300',
      'mcpservers/broken.yml:2:1: the indentation is invalid',
      'mcpservers/other.yaml:3:13: metadata.name: must equal the name of the file, other',
      'mcpservers/other.yaml:4:39: spec.typo: unknown field',
    ]);
  });

  it('exits with 2 for a directory that does not exist', async () => {
    expect(await runGateway(['validate', '--config-dir', '/nonexistent/config'])).toEqual({
      code: 2,
      stdout: ['1 problem'],
      stderr: ['/nonexistent/config: the directory does not exist'],
    });
  });
});

describe('the command line', () => {
  it.each([
    [['validate'], "error: required option '--config-dir <dir>' not specified"],
    [['deploy'], "error: unknown command 'deploy'"],
    [['serve', '--config-dir', '.', '--prot', '1'], "error: unknown option '--prot'"],
    [
      ['serve', '--config-dir', '.', '--port', '65536'],
      "error: option '--port <port>' argument '65536' is invalid. It must be a whole number from 0 to 65535.",
    ],
    [
      ['stdio', '--config-dir', '.', '--log-level', 'loud'],
      "error: option '--log-level <level>' argument 'loud' is invalid. Allowed choices are trace, debug, info, warn, error, fatal, silent.",
    ],
  ])('refuses %j with exit code 2', async (args, text) => {
    const { code, stdout, stderr } = await runGateway(args);
    expect(code).toBe(2);
    expect(stdout).toEqual([]);
    expect(stderr[0]?.replace(/ \(Did you mean.*/u, '')).toBe(text);
    expect(stderr).toContain('Run with --help for usage.');
  });

  it('prints help and version on stdout and exits with 0', async () => {
    const help = await runGateway(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: [] });
    expect(help.stdout[0]).toBe('Usage: gateway [options] [command]');
    const serve = await runGateway(['serve', '--help']);
    expect(serve).toMatchObject({ code: 0, stderr: [] });
    expect(serve.stdout.join(' ').replace(/ +/gu, ' ')).toContain(
      '--config-dir <dir> directory with config.yaml, mcpservers/ and workflows/',
    );
    expect(await runGateway(['--version'])).toEqual({ code: 0, stdout: ['5.13.0'], stderr: [] });
  });

  it('exits with 1 when the port is in use, and leaves no server behind', async () => {
    const directory = directoryWith('{}\n');
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await runGateway([
      'serve',
      ...['--config-dir', directory.path, '--port', String(port), '--no-health-listener'],
    ]);
    taken.close();
    expect(code).toBe(1);
    expect(stderr.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        level: 'fatal',
        msg: `port ${String(port)} of 127.0.0.1 is in use by another process: end that process, or choose another port with --port or http.port`,
      },
      { level: 'info', msg: 'stopped' },
    ]);
  });
});
