import { defineRequirements } from '@gateway/repo-checks';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import {
  asOrdinaryUser,
  configurationDirectory,
  readAgain,
  readFiles,
  serverText,
  writeManyEmpty,
  type Files,
} from './configuration-directory.ts';

const requirement = defineRequirements(requirements);

const A = 'mcpservers/a.yaml';
const TEXT = serverText('a');
const EMPTY = { config: undefined, configProblems: [], servers: [], workflows: [], problems: [] };
const READ_A = { content: ['a=run'], lines: [] };

requirement('1.5/mcpservers-directory', () => {
  it('reads .yaml and .yml files, by name', async () => {
    const files = { 'a.yml': TEXT, 'a-2.yaml': serverText('a-2'), 'b.yaml': serverText('b') };
    const inFolder = Object.entries(files).map(([file, text]) => [`mcpservers/${file}`, text]);
    expect(await readFiles(Object.fromEntries(inFolder) as Files)).toMatchObject({
      content: ['a=run', 'a-2=run', 'b=run'],
      lines: [],
    });
  });
  it('applies the schema of the resource, with file, line and column in every refusal', async () => {
    const text = TEXT.replace('type: stdio', 'type: sse\n  timeout: 0\n  comand: x');
    expect(await readFiles({ [A]: text })).toMatchObject({
      content: [],
      lines: [
        `${A}:5:1: spec.url: url is required when type is streamable-http or sse`,
        `${A}:7:3: spec.timeout: must be at least 1`,
        `${A}:8:3: spec.comand: unknown field`,
      ],
    });
  });
  it('takes the API group as a parameter', async () => {
    const files = { [A]: TEXT.replace('gateway.internal', 'example.com') };
    expect(await readFiles(files, { apiGroup: 'example.com' })).toMatchObject(READ_A);
    const lines = [`${A}:1:1: apiVersion: must be gateway.internal/v1alpha1`];
    expect(await readFiles(files)).toMatchObject({ content: [], lines });
  });
  it('skips a bad file and serves the others', async () => {
    const files = { [A]: TEXT, 'mcpservers/b.yaml': 'kind: [' };
    const problems = [{ kind: 'MCPServer', name: 'b', line: 1 }];
    expect(await readFiles(files)).toMatchObject({ content: ['a=run'], state: { problems } });
  });
});

describe('a resource file', () => {
  it.each([
    [
      'is named as its resource',
      serverText('b'),
      ':4:3: metadata.name: must equal the name of the file, a',
    ],
    ['is not empty', '', ': the file is empty'],
    ['has more than comments', '# later\n', ': the file is empty'],
    [
      'has one document',
      `${TEXT}---\n${serverText('b')}`,
      ':8:1: holds more than one document; write one resource per file',
    ],
    ['is a mapping', '- a\n', ':1:1: must be a mapping, not a list'],
    ['does not repeat keys', `${TEXT}  command: other\n`, ':8:3: a key is repeated'],
    ['is UTF-8', Uint8Array.of(0x61, 0x3a, 0x20, 0xff), ': is not valid UTF-8'],
    ['has at most 128 KiB', TEXT.padEnd(131_073, '#'), ': is larger than 131072 bytes'],
  ])('%s', async (_, text, line) => {
    expect(await readFiles({ [A]: text })).toMatchObject({ content: [], lines: [`${A}${line}`] });
  });
  it.each([
    ['start with a byte order mark', `\uFEFF${TEXT}`],
    ['have 128 KiB', TEXT.padEnd(131_072, '#')],
  ])('may %s', async (_, text) => {
    expect(await readFiles({ [A]: text })).toMatchObject(READ_A);
  });
  it('must be the only one of its name', async () => {
    expect(await readFiles({ [A]: TEXT, 'mcpservers/a.yml': TEXT })).toMatchObject({
      content: [],
      lines: ['mcpservers/a.yml: a.yaml and a.yml define the same resource; keep one of them'],
    });
  });
  it('may be a link, and be reached through a link to the directory', async () => {
    const { directory, at } = await configurationDirectory({ 'real.txt': TEXT });
    await symlink(at('real.txt'), at(A));
    await symlink(directory, at('link'));
    expect(await readAgain(directory)).toMatchObject(READ_A);
    expect(await readAgain(at('link'))).toMatchObject(READ_A);
  });
  it.each(['a file', 'a folder'])(
    'is not read when a link to %s leads out of the configuration directory',
    async (linked) => {
      const outside = await configurationDirectory({ [A]: TEXT });
      const { directory, at } = await configurationDirectory();
      const place = linked === 'a file' ? A : path.dirname(A);
      await rm(at(place), { recursive: true, force: true });
      await symlink(outside.at(place), at(place));
      const lines = [`${A}: is a link to a file outside of the directory`];
      expect(await readAgain(directory)).toMatchObject({ content: [], lines });
    },
  );
  it('is reported on one line, for any name', async () => {
    const { lines } = await readFiles({ 'mcpservers/a\nb.yaml': '' });
    expect(lines).toEqual(['mcpservers/a\\nb.yaml: the file is empty']);
  });
});

it('ignores hidden files, copies that editors leave, directories and links of other names', async () => {
  const leftovers = ['.a.yaml', '.#a.yaml', 'a.yaml~', 'a.yaml.swp', 'a.json', '.yaml', 'yaml'];
  const files = Object.fromEntries(leftovers.map((file) => [`mcpservers/${file}`, 'x']));
  const { directory, at } = await configurationDirectory(files);
  await mkdir(at('mcpservers/directory'));
  await mkdir(at('mcpservers/.d.yaml'));
  await symlink('nowhere', at('mcpservers/link'));
  await symlink('nowhere', at('mcpservers/.#l.yaml'));
  expect(await readAgain(directory)).toMatchObject({ content: [], lines: [] });
});

describe('an entry with the name of a file that cannot be read is reported', () => {
  const makePipe = (file: string) => Promise.resolve(execFileSync('mkfifo', [file]));

  it('in mcpservers/, next to readable servers', async () => {
    const { directory, at } = await configurationDirectory({ [A]: TEXT });
    await mkdir(at('mcpservers/d.yaml'));
    await symlink('nowhere', at('mcpservers/l.yaml'));
    await symlink(at('mcpservers'), at('mcpservers/m.yaml'));
    await symlink('o.yaml', at('mcpservers/o.yaml'));
    await makePipe(at('mcpservers/p.yaml'));
    const { state, content, lines } = await readAgain(directory);
    expect(content).toEqual(['a=run']);
    expect(state.problems).toMatchObject(
      ['d', 'l', 'm', 'o', 'p'].map((name) => ({ kind: 'MCPServer', name })),
    );
    expect(lines).toEqual([
      'mcpservers/d.yaml: is not a regular file',
      'mcpservers/l.yaml: is a link to a file that does not exist',
      'mcpservers/m.yaml: is not a regular file',
      'mcpservers/o.yaml: cannot be read: ELOOP',
      'mcpservers/p.yaml: is not a regular file',
    ]);
  });

  it.each([
    ['a directory', mkdir, 'is not a regular file'],
    [
      'a link to nowhere',
      (file: string) => symlink('..data/x', file),
      'is a link to a file that does not exist',
    ],
    [
      'a link to a device',
      (file: string) => symlink('/dev/null', file),
      'is a link to a file outside of the directory',
    ],
    ['a pipe without a writer', makePipe, 'is not a regular file'],
  ])('config.yaml that is %s, as a problem of the configuration', async (_, make, message) => {
    const { directory, at } = await configurationDirectory();
    const source = at('config.yaml');
    await make(source);
    const configProblems = [{ source, kind: 'Configuration', message }];
    expect((await readAgain(directory)).state).toEqual({ ...EMPTY, configProblems });
  });

  it('without permission', async () => {
    const files = { 'config.yaml': 'a: 1\n', [A]: TEXT };
    const { directory, at } = await configurationDirectory(files);
    for (const file of Object.keys(files)) await chmod(at(file), 0o000);
    const { lines } = await asOrdinaryUser(directory, () => readAgain(directory));
    expect(lines).toEqual([
      'config.yaml: cannot be read: permission denied',
      `${A}: cannot be read: permission denied`,
    ]);
  });
});

describe('config.yaml', () => {
  it('is given as data with positions', async () => {
    const text = '# head\ntoolsetPresets:\n  a:\n    include: []\n';
    const { state, at } = await readFiles({ 'config.yaml': text });
    const value = { toolsetPresets: { a: { include: [] } } };
    expect(state).toMatchObject({ configProblems: [], config: { value } });
    expect(state.config?.source).toBe(at('config.yaml'));
    expect(state.config?.locate(['toolsetPresets', 'a', 'include'])).toEqual({
      line: 4,
      column: 5,
    });
    expect(state.config?.locate(['toolsetPresets', 'b'])).toEqual({ line: 2, column: 1 });
  });
  it('may be missing or empty', async () => {
    expect((await readFiles({})).state).toEqual(EMPTY);
    const { state } = await readFiles({ 'config.yaml': '# nothing yet\n' });
    expect(state.config?.value).toEqual({});
  });
  it('has its problems apart from those of resources', async () => {
    const { state } = await readFiles({ 'config.yaml': 'a: 1\na: 2\n' });
    const problem = { kind: 'Configuration', line: 2, column: 1, message: 'a key is repeated' };
    expect(state).toMatchObject({ config: undefined, problems: [], configProblems: [problem] });
  });
  it('must not exist together with config.yml', async () => {
    expect(await readFiles({ 'config.yaml': 'a: 1\n', 'config.yml': 'a: 1\n' })).toMatchObject({
      state: { config: undefined },
      lines: ['config.yml: config.yaml and config.yml define the same resource; keep one of them'],
    });
  });
});

describe('the directory', () => {
  it('must be a directory that exists', async () => {
    const { at } = await configurationDirectory({ file: '' });
    const problemsOf = async (file: string) => (await readAgain(at(file))).state.configProblems;
    const kind = 'Configuration';
    expect([await problemsOf('missing'), await problemsOf('file')]).toEqual([
      [{ source: at('missing'), kind, message: 'the directory does not exist' }],
      [{ source: at('file'), kind, message: 'is not a directory' }],
    ]);
  });
  it('may be without mcpservers/, which must not be a file', async () => {
    const { directory, remove, write } = await configurationDirectory();
    await remove('mcpservers');
    expect((await readAgain(directory)).lines).toEqual([]);
    await write('mcpservers', '');
    expect((await readAgain(directory)).lines).toEqual(['mcpservers: is not a directory']);
  });
  it('may hold 4096 resource files; of more, the first by name are read', async () => {
    const configuration = await configurationDirectory();
    const files = Array.from({ length: 4097 }, (_, n) => `s${String(n).padStart(4, '0')}.yaml`);
    await writeManyEmpty(configuration, 'mcpservers', files);
    const { lines } = await readAgain(configuration.directory);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      4097,
      'mcpservers: holds more than 4096 resource files; only the first 4096 by name are read',
      'mcpservers/s4095.yaml: the file is empty',
    ]);
  });
});
