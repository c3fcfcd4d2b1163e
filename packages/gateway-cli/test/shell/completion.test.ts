import { describe, expect, it } from 'vitest';
import { createBufferedIo } from '@gateway/gateway-cli';
import { createProgram } from '../../src/run-cli.ts';
import { createCommandTree } from '../../src/completion/command-tree.ts';
import {
  completeLine,
  createNameReader,
  type NameQuestion,
} from '../../src/shell/complete-line.ts';
import { UNSERVED } from '../run-command.ts';

const program = createProgram({
  io: createBufferedIo(),
  serving: UNSERVED,
  run: () => Promise.reject(new Error('not used')),
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
  });
  it.each([
    ['gateway workf', ['workflow ']],
    ['tools ', ['list', 'describe', 'call']],
    ['tools list --o', ['--output ']],
    ['tools list --output ', ['text', 'json']],
    ['tools list --query ', []],
    ['tools list --toolset preset:x', ['preset:x_files_read ']],
    ["tools call 'my", ["'my server' "]],
    ['tools call "it', [`"it's" `]],
    ['workflow run my\\ ', ['my\\ server ']],
    ['# to', []],
    ['tools call my\\', []],
  ])(
    'offers subcommands, options, their values and names, and nothing in a comment or after a backslash: %s',
    async (line, words) => {
      expect((await complete(line)).words).toEqual(words);
    },
  );
  it.each<[string, NameQuestion]>([
    ['servers get ', { kind: 'servers' }],
    ['toolset explain ', { kind: 'presets' }],
    ['servers edit --config-dir "/a b" ', { kind: 'files', configDir: '/a b' }],
    ['workflow run digest a=1 ', { kind: 'workflow-arguments', owner: 'digest' }],
    ['tools call ', { kind: 'tools' }],
    ['tools describe x ', { kind: 'tools' }],
  ])('asks for the names that belong there: %s', async (line, question) => {
    expect((await complete(line)).asked).toEqual([question]);
  });
  it('offers names as they are written in a line', async () => {
    const { words } = await complete('servers get ');
    expect(words).toEqual(['__proto__', 'my\\ server', "it\\'s", '🦊', 'x_files_read']);
    expect((await complete("tools call 'my")).replaced).toBe("'my");
  });
  it('offers the arguments of a tool or workflow after its name, without a space', async () => {
    expect(await complete('tools call --output json x_read x')).toEqual({
      words: ['x_files_read='],
      replaced: 'x',
      asked: [{ kind: 'tool-arguments', owner: 'x_read' }],
    });
    expect((await complete('workflow run digest a=1 ')).words).toContain('__proto__=');
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
