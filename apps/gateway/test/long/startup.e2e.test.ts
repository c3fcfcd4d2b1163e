import { type ConfigDirectory } from '@gateway/repo-checks';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

function directoryWith(config: string): ConfigDirectory {
  const directory = testDirectory();
  directory.write('config.yaml', config);
  return directory;
}

const RULES = 'tool, pattern, server, workflow, readOnly, preset, label';

describe('serve refuses to start with exit code 2 when config.yaml', () => {
  it('has several problems: all of them are named at once, in the order of their lines', async () => {
    const { path } = directoryWith(`http:
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
    const { code, stderr } = await runGateway(['serve', '--config-dir', path, '--port', '0']);
    expect(code).toBe(2);
    expect(stderr.map((line) => line.replace(`${join(path, 'config.yaml')}:`, ''))).toEqual([
      '2:3: http.prot: unknown key',
      '4:3: toolsetPresets: preset "full" is built in and cannot be redefined',
      '7:9: toolsetPresets: preset "a" include[0] readOnly: false selects nothing; omit the rule',
      `8:9: toolsetPresets: preset "a" include[1] must set exactly one of ${RULES}`,
      '9:9: toolsetPresets: preset "a" include[2] includes unknown preset "ghost"; known presets: read-only, none, full, a',
      '10:1: last: unknown key',
    ]);
  });

  it('is a directory, or a link to nothing: the gateway does not start with defaults', async () => {
    const directory = testDirectory();
    const file = join(directory.path, 'config.yaml');
    const serve = () => runGateway(['serve', '--config-dir', directory.path, '--port', '0']);
    symlinkSync('..data/config.yaml', file);
    const stderr = [`${file}: is a link to a file that does not exist`];
    expect(await serve()).toEqual({ code: 2, stdout: [], stderr });
    rmSync(file);
    mkdirSync(file);
    expect(await serve()).toMatchObject({ code: 2, stderr: [`${file}: is not a regular file`] });
  });
});

describe('validate', () => {
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
});

describe('the command line', () => {
  it.each([
    [['deploy'], "error: unknown command 'deploy'"],
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
});
