import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePairs, readJsonArgument } from '../src/actions/tools.ts';
import type { CliIo } from '../src/cli-io.ts';

const schema = {
  properties: {
    id: { type: 'string' },
    limit: { type: 'integer' },
    deep: { type: 'boolean' },
    tags: { type: 'array' },
    either: { type: ['string', 'number'] },
  },
};
const createPairParser =
  (...texts: readonly string[]) =>
  () =>
    parsePairs(texts, schema);

describe('key=value arguments', () => {
  it('are parsed by the schema of the tool', () =>
    expect(createPairParser('id=007', 'limit=7', 'deep=false', 'tags=["a"]', 'either=7')()).toEqual(
      {
        id: '007',
        limit: 7,
        deep: false,
        tags: ['a'],
        either: 7,
      },
    ));
  it('are JSON, else text, without a type in the schema', () =>
    expect(createPairParser('new=null', 'other=a=b', 'third=')()).toEqual({
      new: null,
      other: 'a=b',
      third: '',
    }));
  it('may have any name', () => {
    const read = createPairParser('__proto__=1', 'constructor=x')();
    expect(JSON.stringify(read)).toBe('{"__proto__":1,"constructor":"x"}');
  });
  it.each([
    [['limit=many'], 'limit=many: the tool requires a number here'],
    [['limit='], 'limit=: the tool requires a number here'],
    [['deep=yes'], 'deep=yes: the tool requires true or false here'],
    [['id'], 'id: an argument of a tool has the form key=value'],
    [['=1'], '=1: an argument of a tool has the form key=value'],
    [['id=1', 'id=2'], 'id: given more than once'],
  ])('%j are refused', (texts, text) => expect(createPairParser(...texts)).toThrow(text));
});

describe('--json', () => {
  const io = { readStdin: () => Promise.resolve('{"from":"stdin"}') } as CliIo;
  it('is an object: JSON text, a file or standard input', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-cli-'));
    writeFileSync(join(folder, 'a.json'), '{"from":"file"}');
    expect(await readJsonArgument('{"from":"text"}', io)).toEqual({ from: 'text' });
    expect(await readJsonArgument(`@${folder}/a.json`, io)).toEqual({ from: 'file' });
    expect(await readJsonArgument('-', io)).toEqual({ from: 'stdin' });
    rmSync(folder, { recursive: true });
  });
  it.each([
    ['[1]', '--json: the arguments of a tool are a JSON object'],
    ['null', '--json: the arguments of a tool are a JSON object'],
    ['{', '--json: '],
    ['@/nonexistent/a.json', '--json: ENOENT'],
  ])('refuses %s', async (source, text) => {
    await expect(readJsonArgument(source, io)).rejects.toThrow(text);
  });
});
