import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createBufferedIo } from '@gateway/gateway-cli';
import { createProgram } from '../../src/run-cli.ts';
import { createCommandTree } from '../../src/completion/command-tree.ts';
import { completeLine, type NameQuestion } from '../../src/shell/complete-line.ts';
import { createNameReader } from '../../src/shell/complete-line.ts';

const unused = () => Promise.reject(new Error('not used'));
const program: Command = createProgram({
  io: createBufferedIo(),
  serving: {
    serve: unused,
    serveStdio: unused,
    stateProblem: unused,
    toolsetProblem: () => undefined,
    probeServers: unused,
  },
  run: unused,
  end: () => undefined,
});
const tree = createCommandTree(program);

const NAMES = ['__proto__', 'my server', "it's", '🦊', 'x_files_read', 'bad\u001B[2J', '--url'];

const complete = async (line: string) => {
  const asked: NameQuestion[] = [];
  const [words, replaced] = await completeLine(tree, line, (question) => {
    asked.push(question);
    return Promise.resolve(NAMES);
  });
  return { words, replaced, asked };
};

describe('completion in the shell', () => {
  it('offers commands and the words of the shell, without those that do not run there', async () => {
    const { words } = await complete('');
    expect(words).toEqual(expect.arrayContaining(['tools', 'servers', 'help', 'exit']));
    for (const outside of ['serve', 'stdio', 'shell', '--help', 'names'])
      expect(words).not.toContain(outside);
    expect((await complete('gateway workf')).words).toEqual(['workflow ']);
  });
  it('offers subcommands, options and their values', async () => {
    expect((await complete('tools ')).words).toEqual(['list', 'describe', 'call']);
    expect((await complete('tools list --o')).words).toEqual(['--output ']);
    expect((await complete('tools list --output ')).words).toEqual(['text', 'json']);
    expect((await complete('tools list --query ')).words).toEqual([]);
  });
  it('offers names as they are written in a line', async () => {
    const { words, asked } = await complete('servers get ');
    expect(asked).toEqual([{ kind: 'servers' }]);
    expect(words).toEqual(['__proto__', 'my\\ server', "it\\'s", '🦊', 'x_files_read']);
    expect(await complete("tools call 'my")).toMatchObject({
      words: ["'my server' "],
      replaced: "'my",
    });
    expect(await complete('tools call "it')).toMatchObject({ words: [`"it's" `] });
    expect(await complete('workflow run my\\ ')).toMatchObject({ words: ['my\\ server '] });
  });
  it('offers presets, and files of the directory of the line', async () => {
    expect((await complete('tools list --toolset preset:x')).words).toEqual([
      'preset:x_files_read ',
    ]);
    expect((await complete('toolset explain ')).asked).toEqual([{ kind: 'presets' }]);
    expect((await complete('servers edit --config-dir "/a b" ')).asked).toEqual([
      { kind: 'files', configDir: '/a b' },
    ]);
  });
  it('offers the arguments of a tool or workflow after its name, without a space', async () => {
    expect(await complete('tools call --output json x_read x')).toEqual({
      words: ['x_files_read='],
      replaced: 'x',
      asked: [{ kind: 'tool-arguments', owner: 'x_read' }],
    });
    const { words, asked } = await complete('workflow run digest a=1 ');
    expect(words).toContain('__proto__=');
    expect(asked).toEqual([{ kind: 'workflow-arguments', owner: 'digest' }]);
    expect((await complete('tools call ')).asked).toEqual([{ kind: 'tools' }]);
    expect((await complete('tools describe x ')).asked).toEqual([{ kind: 'tools' }]);
  });
  it('offers nothing in a comment or after a backslash', async () => {
    expect((await complete('# to')).words).toEqual([]);
    expect((await complete('tools call my\\')).words).toEqual([]);
    expect((await complete('__proto__ constructor ')).words).toContain('tools');
  });
});

describe('names of the gateway', () => {
  it('are kept for five seconds, and are none after a failure', async () => {
    let time = 0;
    let count = 0;
    const read = ({ kind }: NameQuestion) => {
      count += 1;
      return kind === 'tools' ? Promise.reject(new Error('away')) : Promise.resolve([`n${count}`]);
    };
    const names = createNameReader({ read, now: () => time });
    expect(await names({ kind: 'servers' })).toEqual(['n1']);
    time = 4_999;
    expect(await names({ kind: 'servers' })).toEqual(['n1']);
    time = 5_000;
    expect(await names({ kind: 'servers' })).toEqual(['n2']);
    expect(await names({ kind: 'tools' })).toEqual([]);
    expect(await names({ kind: 'tool-arguments', owner: 'a' })).toEqual(['n4']);
    expect(await names({ kind: 'tool-arguments', owner: 'b' })).toEqual(['n5']);
    expect(await names({ kind: 'tool-arguments', owner: 'a' })).toEqual(['n4']);
  });
});
