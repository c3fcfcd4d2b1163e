import { describe, expect, it } from 'vitest';
import { parsePairs, readJsonArgument } from '../src/actions/tools.ts';
import type { CliIo } from '../src/cli-io.ts';
import { useDirectory } from './use-directory.ts';

const folder = useDirectory();

const schema = {
  properties: {
    id: { type: 'string' },
    limit: { type: 'integer' },
    deep: { type: 'boolean' },
    tags: { type: 'array' },
    either: { type: ['string', 'number'] },
  },
};

describe('key=value arguments', () => {
  it.each([
    [
      'id=007 limit=7 deep=false tags=["a"] either=7',
      '{"id":"007","limit":7,"deep":false,"tags":["a"],"either":7}',
    ],
    // Without a type in the schema: JSON, else text.
    ['new=null other=a=b third=', '{"new":null,"other":"a=b","third":""}'],
    ['__proto__=1 constructor=x', '{"__proto__":1,"constructor":"x"}'],
  ])('are parsed by the schema of the tool: %s', (pairs, json) => {
    expect(JSON.stringify(parsePairs(pairs.split(' '), schema))).toBe(json);
  });
  it.each([
    ['limit=many', 'limit=many: the tool requires a number here'],
    ['limit=', 'limit=: the tool requires a number here'],
    ['deep=yes', 'deep=yes: the tool requires true or false here'],
    ['id', 'id: an argument of a tool has the form key=value'],
    ['=1', '=1: an argument of a tool has the form key=value'],
    ['id=1 id=2', 'id: given more than once'],
  ])('%s is refused', (pairs, text) => {
    expect(() => parsePairs(pairs.split(' '), schema)).toThrow(text);
  });
});

describe('--json', () => {
  const io = { readStdin: () => Promise.resolve('{"from":"stdin"}') } as CliIo;
  it('is an object: JSON text, a file or standard input', async () => {
    const file = folder.write('a.json', '{"from":"file"}');
    expect(await readJsonArgument('{"from":"text"}', io)).toEqual({ from: 'text' });
    expect(await readJsonArgument(`@${file}`, io)).toEqual({ from: 'file' });
    expect(await readJsonArgument('-', io)).toEqual({ from: 'stdin' });
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
