import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPairs, readWhole } from '../src/actions/tool-arguments.ts';
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
const pairs =
  (...texts: readonly string[]) =>
  () =>
    readPairs(texts, schema);

describe('key=value arguments', () => {
  it('are read as the tool says', () =>
    expect(pairs('id=007', 'limit=7', 'deep=false', 'tags=["a"]', 'either=7')()).toEqual({
      id: '007',
      limit: 7,
      deep: false,
      tags: ['a'],
      either: 7,
    }));
  it('are JSON, else text, where the tool says nothing', () =>
    expect(pairs('new=null', 'other=a=b', 'third=')()).toEqual({
      new: null,
      other: 'a=b',
      third: '',
    }));
  it('may have any name', () => {
    const read = pairs('__proto__=1', 'constructor=x')();
    expect(JSON.stringify(read)).toBe('{"__proto__":1,"constructor":"x"}');
  });
  it.each([
    [['limit=many'], 'limit=many: the tool takes a number here'],
    [['limit='], 'limit=: the tool takes a number here'],
    [['deep=yes'], 'deep=yes: the tool takes true or false here'],
    [['id'], 'id: an argument of a tool is written key=value'],
    [['=1'], '=1: an argument of a tool is written key=value'],
    [['id=1', 'id=2'], 'id: given more than once'],
  ])('%j are refused', (texts, text) => expect(pairs(...texts)).toThrow(text));
});

describe('--json', () => {
  const io = { readStdin: () => Promise.resolve('{"from":"stdin"}') } as CliIo;
  it('is an object as it stands, of a file or of standard input', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-cli-'));
    writeFileSync(join(folder, 'a.json'), '{"from":"file"}');
    expect(await readWhole('{"from":"text"}', io)).toEqual({ from: 'text' });
    expect(await readWhole(`@${folder}/a.json`, io)).toEqual({ from: 'file' });
    expect(await readWhole('-', io)).toEqual({ from: 'stdin' });
    rmSync(folder, { recursive: true });
  });
  it.each([
    ['[1]', '--json: the arguments of a tool are a JSON object'],
    ['null', '--json: the arguments of a tool are a JSON object'],
    ['{', '--json: '],
    ['@/nonexistent/a.json', '--json: ENOENT'],
  ])('refuses %s', async (source, text) => {
    await expect(readWhole(source, io)).rejects.toThrow(text);
  });
});
