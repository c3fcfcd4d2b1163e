import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatJson, RawObject } from '@gateway/mcp-wire';
import { MessageReader, withParsedResult } from '../src/wire/message-text.ts';

/** The value of one message, and the text of its result where it was not parsed. */
const readMessage = (text: string): { readonly value: unknown; readonly resultText?: string } => {
  const read: unknown[] = [];
  const reader = new MessageReader({
    onMessage: (value) => read.push(value),
    onUnreadable: (reason) => {
      throw reason;
    },
  });
  reader.push(Buffer.from(text));
  const [value] = read;
  const result = (value as { readonly result?: unknown } | null)?.result;
  if (!(result instanceof RawObject)) return { value };
  const parsed = withParsedResult(value as Readonly<Record<string, unknown>>);
  return { value: parsed, resultText: result.text };
};

const result = '{"content":[{"type":"text","text":"a"}],"n":1.50}';

it.each([
  `{"jsonrpc":"2.0","id":7,"result":${result}}`,
  `{"id":7,"jsonrpc":"2.0","result":${result}}`,
  `{"result":${result},"jsonrpc":"2.0","id":7}`,
  `{"result":${result},"id":7,"jsonrpc":"2.0"}`,
  `{"jsonrpc":"2.0","result":${result},"id":7}`,
  `{"id":7,"result":${result},"jsonrpc":"2.0"}`,
  ` {\n "jsonrpc" : "2.0",\r\n\t"id" : 7 , "result" : ${result}\n}\n`,
])('an answer of any layout preserves the text of its result: %s', (text) => {
  const read = readMessage(text);
  expect(read.resultText?.trim()).toBe(result);
  expect(read.value).toEqual(JSON.parse(text));
});

describe('any other message', () => {
  it.each([
    '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}',
    '{"jsonrpc":"2.0","id":7,"result":{},"extra":1}',
    '{"jsonrpc":"2.0","extra":1,"id":7,"result":{}}',
    '{"jsonrpc":"2.0","id":"7","result":{}}',
    '{"jsonrpc":"2.0","id":7.5,"result":{}}',
    '{"jsonrpc":"2.0","id":-7,"result":{}}',
    '{"jsonrpc":"1.0","id":7,"result":{}}',
    '{"jsonrpc":"2.0","result":{}}',
    '{"id":7,"result":{}}',
    '{"jsonrpc":"2.0","id":7,"result":{},"id":8}',
    '{"jsonrpc":"2.0","id":7,"result":{},"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":7,"result":{},"result":{"a":1}}',
    '{"jsonrpc":"2.0","id":7,"result":{},"r\\u0065sult":{"a":1}}',
    '{"result":{},"result":{"a":1},"jsonrpc":"2.0","id":7}',
    '{"jsonrpc":"2.0","method":"x","params":{"result":{}}}',
    'null',
    '"x"',
  ])('is read whole: %s', (text) => {
    expect(readMessage(text).value).toEqual(JSON.parse(text));
  });

  it.each([
    '',
    '{',
    '{"jsonrpc":"2.0","id":7,"result":}',
    '{"jsonrpc":"2.0","id":7,"result":{}} x',
  ])('is refused when it is no JSON: %s', (text) => {
    expect(() => readMessage(text)).toThrow(SyntaxError);
  });

  it('is refused when a space in it is none of JSON', () => {
    expect(() => readMessage('{"jsonrpc":"2.0",\u00a0"id":7,"result":{}}')).toThrow(SyntaxError);
  });
});

describe('a batch', () => {
  const readBatch = (text: string) => {
    const read: unknown[] = [];
    const reader = new MessageReader({
      onMessage: (value) => read.push(value),
      onUnreadable: (reason) => read.push(reason.message),
    });
    reader.push(Buffer.from(text));
    const ended = new Promise<void>((resolve) => reader.runAfterMessages(resolve));
    return { read, ended };
  };

  it('preserves the texts of its results and parameters', () => {
    const { read } = readBatch(
      ` [ {"id":7,"result": ${result} }, 1, null, [2], {"method":"x","params":{"n":1.50}}]`,
    );
    expect(read).toHaveLength(1);
    const [messages] = read as [Readonly<Record<string, unknown>>[]];
    expect((messages[0]?.['result'] as RawObject).text).toBe(result);
    expect(messages.slice(1, 4)).toEqual([1, null, [2]]);
    expect(formatJson(messages[4]?.['params'])).toBe('{"n":1.50}');
  });

  it('is not read in one turn of the event loop when it is large', async () => {
    const answer = `{"id":7,"result":{"text":"${'x'.repeat(1_000_000)}"}}`;
    const { read, ended } = readBatch(`[${answer},${answer}]`);
    expect(read).toEqual([]);
    await ended;
    expect(read).toHaveLength(1);
    const [messages] = read as [Readonly<Record<string, unknown>>[]];
    expect(messages.map((message) => message['result'] instanceof RawObject)).toEqual([true, true]);
  });

  it('with more messages than a process can keep is refused', async () => {
    const { read, ended } = readBatch(`[${'1,'.repeat(300_000)}1]`);
    await ended;
    expect(read).toEqual([expect.stringMatching(/^it has more than \d+ members/)]);
  });
});

describe('the text of a result', () => {
  const space = fc.constantFrom('', '', ' ', '\n', '\r\n', '\t');
  /** Strings with what might be taken for the end or the start of a message, and every kind of escape. */
  const trap = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"result":', ',"jsonrpc":"2.0","id":7}', '}', '\\', '"', '\u2028\u2029'),
    fc.constantFrom('\ud800', '__proto__', '_meta'),
  );
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      trap,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, false, 1e300, -0),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.array(fc.tuple(trap, tie('any')), { maxLength: 4 }).map((pairs) => new Pairs(pairs)),
    ),
  })).any;

  /** An object as it is written, keys as often as they come. */
  class Pairs {
    readonly pairs: readonly (readonly [string, unknown])[];
    constructor(pairs: readonly (readonly [string, unknown])[]) {
      this.pairs = pairs;
    }
  }

  const escaped = (text: string, all: boolean): string =>
    all
      ? `"${[...Array(text.length).keys()]
          .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join('')}"`
      : JSON.stringify(text);

  /** How a value is written: with this white space, and with escapes for all characters or for those that need them. */
  interface Style {
    readonly s: string;
    readonly all: boolean;
    /** Leaves out the escapes of keys: `JSON.parse` of Node 24 can read `"\\u0022"` as the key `"\\\\"` of another object. */
    readonly isPlain?: boolean;
  }

  const written = (node: unknown, style: Style): string => {
    const { s, all, isPlain = false } = style;
    if (typeof node === 'string') return escaped(node, all);
    if (Array.isArray(node))
      return `[${s}${node.map((one) => written(one, style)).join(`${s},${s}`)}${s}]`;
    if (node instanceof Pairs)
      return `{${s}${node.pairs
        .map(([key, one]) => [escaped(key, all && !isPlain), written(one, style)] as const)
        .filter(([key]) => !isPlain || !key.includes('\\'))
        .map(([key, one]) => `${key}${s}:${s}${one}`)
        .join(`${s},${s}`)}${s}}`;
    return JSON.stringify(node);
  };

  const member = fc.constantFrom('v', 'i', 'r', 'r', 'x');
  it('is never anything but the text of what JSON.parse gives as result', () => {
    let kept = 0;
    fc.assert(
      fc.property(
        fc.record({
          node: value,
          order: fc.shuffledSubarray(['v', 'i', 'r'], { minLength: 3 }),
          more: fc.array(member, { maxLength: 2 }),
          s: space,
          all: fc.boolean(),
          isPlain: fc.boolean(),
        }),
        ({ node, order, more, s, all, isPlain }) => {
          const result = `{${s}"v"${s}:${written(node, { s, all, isPlain })}${s}}`;
          const text = (kind: string): string => {
            if (kind === 'v') return `"jsonrpc"${s}:${s}"2.0"`;
            if (kind === 'i') return `"id"${s}:${s}7`;
            return `"${kind === 'r' ? 'result' : 'extra'}"${s}:${s}${result}`;
          };
          const line = `{${s}${[...order, ...more].map(text).join(`${s},${s}`)}${s}}`;
          const whole = JSON.parse(line) as { result: unknown };
          const read = readMessage(line);
          if (isPlain) expect(read.value).toEqual(whole);
          if (read.resultText === undefined) return;
          kept += 1;
          expect(read.resultText).toBe(result);
        },
      ),
      { numRuns: 3_000 },
    );
    expect(kept).toBeGreaterThan(500);
  });
});
