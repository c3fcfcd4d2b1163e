import { defineRequirements } from '@gateway/repo-checks';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { readDirectory } from '../../src/index.ts';
import {
  asOrdinaryUser,
  commandsOf,
  configurationDirectory,
  problemLines,
  serverText,
  writeManyEmpty,
} from './configuration-directory.ts';

const requirement = defineRequirements(requirements);

/** The lines that refuse one resource file. */
const refusalOf = async (
  text: string | Uint8Array,
  file = 'mcpservers/a.yaml',
): Promise<readonly string[]> => {
  const { directory, write } = await configurationDirectory();
  await write(file, text);
  const state = await readDirectory(directory);
  expect(state.servers).toEqual([]);
  return problemLines(state, directory);
};

requirement('1.5/mcpservers-directory', () => {
  it('reads .yaml and .yml files, by name', async () => {
    const { directory, write } = await configurationDirectory();
    await write('mcpservers/b.yaml', serverText('b'));
    await write('mcpservers/a.yml', serverText('a'));
    await write('mcpservers/a-2.yaml', serverText('a-2'));
    const state = await readDirectory(directory);
    expect(commandsOf(state)).toEqual(['a=run', 'a-2=run', 'b=run']);
    expect(problemLines(state, directory)).toEqual([]);
  });
  it('applies the schema of the resource, with file, line and column in every refusal', async () => {
    const text = serverText('a').replace('type: stdio', 'type: sse\n  timeout: 0\n  comand: x');
    expect(await refusalOf(text)).toEqual([
      'mcpservers/a.yaml:5:1: spec.url: url is required when type is streamable-http or sse',
      'mcpservers/a.yaml:7:3: spec.timeout: must be at least 1',
      'mcpservers/a.yaml:8:3: spec.comand: unknown field',
    ]);
  });
  it('takes the API group as a parameter', async () => {
    const { directory, write } = await configurationDirectory();
    await write('mcpservers/a.yaml', serverText('a').replace('gateway.internal', 'example.com'));
    expect(commandsOf(await readDirectory(directory, { apiGroup: 'example.com' }))).toEqual([
      'a=run',
    ]);
    expect(problemLines(await readDirectory(directory), directory)).toEqual([
      'mcpservers/a.yaml:1:1: apiVersion: must be gateway.internal/v1alpha1',
    ]);
  });
  it('skips a bad file and serves the others', async () => {
    const { directory, write } = await configurationDirectory();
    await write('mcpservers/a.yaml', serverText('a'));
    await write('mcpservers/b.yaml', 'kind: [');
    const state = await readDirectory(directory);
    expect(commandsOf(state)).toEqual(['a=run']);
    expect(state.problems).toMatchObject([{ kind: 'MCPServer', name: 'b', line: 1 }]);
  });
});

describe('a resource file', () => {
  it('must be named after its resource', async () => {
    expect(await refusalOf(serverText('b'))).toEqual([
      'mcpservers/a.yaml:4:3: metadata.name: must equal the name of the file, a',
    ]);
  });
  it('must hold something', async () => {
    expect(await refusalOf('')).toEqual(['mcpservers/a.yaml: the file is empty']);
    expect(await refusalOf('# later\n')).toEqual(['mcpservers/a.yaml: the file is empty']);
  });
  it('must hold one document', async () => {
    expect(await refusalOf(`${serverText('a')}---\n${serverText('b')}`)).toEqual([
      'mcpservers/a.yaml:8:1: holds more than one document; write one resource per file',
    ]);
  });
  it('must be a mapping', async () => {
    expect(await refusalOf('- a\n')).toEqual([
      'mcpservers/a.yaml:1:1: must be a mapping, not a list',
    ]);
  });
  it('must not repeat keys', async () => {
    expect(await refusalOf(`${serverText('a')}  command: other\n`)).toEqual([
      'mcpservers/a.yaml:8:3: a key is repeated',
    ]);
  });
  it('must be UTF-8', async () => {
    expect(await refusalOf(Uint8Array.of(0x61, 0x3a, 0x20, 0xff))).toEqual([
      'mcpservers/a.yaml: is not valid UTF-8',
    ]);
  });
  it('may start with a byte order mark', async () => {
    const { directory, write } = await configurationDirectory();
    await write('mcpservers/a.yaml', `\uFEFF${serverText('a')}`);
    expect(commandsOf(await readDirectory(directory))).toEqual(['a=run']);
  });
  it('may have 128 KiB and no more', async () => {
    const { directory, write } = await configurationDirectory();
    const text = serverText('a');
    await write('mcpservers/a.yaml', text + '#'.repeat(131_072 - text.length));
    expect(commandsOf(await readDirectory(directory))).toEqual(['a=run']);
    expect(await refusalOf(text + '#'.repeat(131_073 - text.length))).toEqual([
      'mcpservers/a.yaml: is larger than 131072 bytes',
    ]);
  });
  it('must be the only one of its name', async () => {
    const { directory, write } = await configurationDirectory();
    await write('mcpservers/a.yaml', serverText('a'));
    await write('mcpservers/a.yml', serverText('a'));
    const state = await readDirectory(directory);
    expect(state.servers).toEqual([]);
    expect(problemLines(state, directory)).toEqual([
      'mcpservers/a.yml: a.yaml and a.yml define the same resource; keep one of them',
    ]);
  });
  it('may be a link', async () => {
    const { directory, write, at } = await configurationDirectory();
    await write('real.txt', serverText('a'));
    await symlink(at('real.txt'), at('mcpservers/a.yaml'));
    expect(commandsOf(await readDirectory(directory))).toEqual(['a=run']);
  });
  it.each([
    [
      'a file',
      (target: string, at: (file: string) => string) => symlink(target, at('mcpservers/a.yaml')),
    ],
    [
      'a folder',
      async (target: string, at: (file: string) => string) => {
        await rm(at('mcpservers'), { recursive: true });
        await symlink(path.dirname(target), at('mcpservers'));
      },
    ],
  ])('is not read when a link to %s leads out of the configuration directory', async (_, link) => {
    const outside = await configurationDirectory();
    await outside.write('mcpservers/a.yaml', serverText('a'));
    const { directory, at } = await configurationDirectory();
    await link(outside.at('mcpservers/a.yaml'), at);
    const state = await readDirectory(directory);
    expect(commandsOf(state)).toEqual([]);
    expect(problemLines(state, directory)).toEqual([
      'mcpservers/a.yaml: is a link to a file outside of the directory',
    ]);
  });
  it('may be reached through links to the configuration directory itself', async () => {
    const { directory, write } = await configurationDirectory();
    await write('mcpservers/a.yaml', serverText('a'));
    const { at } = await configurationDirectory();
    await symlink(directory, at('link'));
    expect(commandsOf(await readDirectory(at('link')))).toEqual(['a=run']);
  });
  it('is reported on one line, for any name', async () => {
    expect((await refusalOf('', 'mcpservers/a\nb.yaml'))[0]).toBe(
      'mcpservers/a\\nb.yaml: the file is empty',
    );
  });
});

describe('an entry that is not a resource file is ignored', () => {
  it('hidden files, copies that editors leave, directories and links of other names', async () => {
    const { directory, write, at } = await configurationDirectory();
    await mkdir(at('mcpservers/directory'));
    await mkdir(at('mcpservers/.d.yaml'));
    await symlink('nowhere', at('mcpservers/link'));
    await symlink('nowhere', at('mcpservers/.#l.yaml'));
    const leftovers = ['.a.yaml', '.#a.yaml', 'a.yaml~', 'a.yaml.swp', 'a.json', '.yaml', 'yaml'];
    for (const file of leftovers) await write(`mcpservers/${file}`, 'x');
    const state = await readDirectory(directory);
    expect(state.servers).toEqual([]);
    expect(problemLines(state, directory)).toEqual([]);
  });
});

describe('an entry with the name of a file that cannot be read is reported', () => {
  it('in mcpservers/, next to readable servers', async () => {
    const { directory, write, at } = await configurationDirectory();
    await write('mcpservers/a.yaml', serverText('a'));
    await mkdir(at('mcpservers/d.yaml'));
    await symlink('nowhere', at('mcpservers/l.yaml'));
    await symlink(at('mcpservers'), at('mcpservers/m.yaml'));
    await symlink('o.yaml', at('mcpservers/o.yaml'));
    execFileSync('mkfifo', [at('mcpservers/p.yaml')]);
    const state = await readDirectory(directory);
    expect(commandsOf(state)).toEqual(['a=run']);
    expect(state.problems).toMatchObject(
      ['d', 'l', 'm', 'o', 'p'].map((name) => ({ kind: 'MCPServer', name })),
    );
    expect(problemLines(state, directory)).toEqual([
      'mcpservers/d.yaml: is not a regular file',
      'mcpservers/l.yaml: is a link to a file that does not exist',
      'mcpservers/m.yaml: is not a regular file',
      'mcpservers/o.yaml: cannot be read: ELOOP',
      'mcpservers/p.yaml: is not a regular file',
    ]);
  });

  it.each([
    ['a directory', (file: string) => mkdir(file), 'is not a regular file'],
    [
      'a link to nowhere',
      (file: string) => symlink('..data/config.yaml', file),
      'is a link to a file that does not exist',
    ],
    [
      'a link to a device',
      (file: string) => symlink('/dev/null', file),
      'is a link to a file outside of the directory',
    ],
    [
      'a pipe without a writer',
      (file: string) => Promise.resolve(execFileSync('mkfifo', [file])),
      'is not a regular file',
    ],
  ])(
    'config.yaml that is %s, among the problems of the configuration',
    async (_, make, message) => {
      const { directory, at } = await configurationDirectory();
      await make(at('config.yaml'));
      expect(await readDirectory(directory)).toEqual({
        config: undefined,
        configProblems: [{ source: at('config.yaml'), kind: 'Configuration', message }],
        servers: [],
        workflows: [],
        problems: [],
      });
    },
  );

  it('without permission', async () => {
    const { directory, write, at } = await configurationDirectory();
    await write('config.yaml', 'a: 1\n');
    await write('mcpservers/a.yaml', serverText('a'));
    await chmod(at('config.yaml'), 0o000);
    await chmod(at('mcpservers/a.yaml'), 0o000);
    expect(
      problemLines(await asOrdinaryUser(directory, () => readDirectory(directory)), directory),
    ).toEqual([
      'config.yaml: cannot be read: permission denied',
      'mcpservers/a.yaml: cannot be read: permission denied',
    ]);
  });
});

describe('config.yaml', () => {
  it('is given as data with positions', async () => {
    const { directory, write, at } = await configurationDirectory();
    await write('config.yaml', '# head\ntoolsetPresets:\n  a:\n    include: []\n');
    const { config, configProblems } = await readDirectory(directory);
    expect(configProblems).toEqual([]);
    expect(config?.source).toBe(at('config.yaml'));
    expect(config?.value).toEqual({ toolsetPresets: { a: { include: [] } } });
    expect(config?.locate(['toolsetPresets', 'a', 'include'])).toEqual({ line: 4, column: 5 });
    expect(config?.locate(['toolsetPresets', 'b'])).toEqual({ line: 2, column: 1 });
  });
  it('may be missing', async () => {
    const { directory } = await configurationDirectory();
    expect(await readDirectory(directory)).toEqual({
      config: undefined,
      configProblems: [],
      servers: [],
      workflows: [],
      problems: [],
    });
  });
  it('is an empty mapping when it is empty', async () => {
    const { directory, write } = await configurationDirectory();
    await write('config.yaml', '# nothing yet\n');
    expect((await readDirectory(directory)).config?.value).toEqual({});
  });
  it('has its problems apart from those of resources', async () => {
    const { directory, write } = await configurationDirectory();
    await write('config.yaml', 'a: 1\na: 2\n');
    const state = await readDirectory(directory);
    expect(state.config).toBe(undefined);
    expect(state.problems).toEqual([]);
    expect(state.configProblems).toMatchObject([
      { kind: 'Configuration', line: 2, column: 1, message: 'a key is repeated' },
    ]);
  });
  it('must not exist together with config.yml', async () => {
    const { directory, write } = await configurationDirectory();
    await write('config.yaml', 'a: 1\n');
    await write('config.yml', 'a: 1\n');
    const state = await readDirectory(directory);
    expect(state.config).toBe(undefined);
    expect(problemLines(state, directory)).toEqual([
      'config.yml: config.yaml and config.yml define the same resource; keep one of them',
    ]);
  });
});

describe('the directory', () => {
  it('must exist', async () => {
    const { at } = await configurationDirectory();
    const state = await readDirectory(at('missing'));
    expect(state.configProblems).toEqual([
      { source: at('missing'), kind: 'Configuration', message: 'the directory does not exist' },
    ]);
  });
  it('must be a directory', async () => {
    const { at, write } = await configurationDirectory();
    await write('file', '');
    expect((await readDirectory(at('file'))).configProblems).toEqual([
      { source: at('file'), kind: 'Configuration', message: 'is not a directory' },
    ]);
  });
  it('may be without mcpservers/', async () => {
    const { directory, remove } = await configurationDirectory();
    await remove('mcpservers');
    expect(problemLines(await readDirectory(directory), directory)).toEqual([]);
  });
  it('may hold 4096 resource files; of more, the first by name are read', async () => {
    const configuration = await configurationDirectory();
    const { directory } = configuration;
    const files = Array.from({ length: 4097 }, (_, n) => `s${String(n).padStart(4, '0')}.yaml`);
    await writeManyEmpty(configuration, 'mcpservers', files);
    const lines = problemLines(await readDirectory(directory), directory);
    expect(lines.length).toBe(4097);
    expect([lines[0], lines.at(-1)]).toEqual([
      'mcpservers: holds more than 4096 resource files; only the first 4096 by name are read',
      'mcpservers/s4095.yaml: the file is empty',
    ]);
  });
  it('is reported when mcpservers is a file', async () => {
    const { directory, at, write } = await configurationDirectory();
    await rm(at('mcpservers'), { recursive: true });
    await write('mcpservers', '');
    expect(problemLines(await readDirectory(directory), directory)).toEqual([
      'mcpservers: is not a directory',
    ]);
  });
});
