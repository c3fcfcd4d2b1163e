import { threadCpuUsage } from 'node:process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamReader } from '../src/event-stream.ts';

const read = (chunks: readonly Buffer[], maxBytes = 1_000_000) => {
  const seen: unknown[] = [];
  const stream = new EventStreamReader(maxBytes, {
    onEvent: ({ type, data }) => {
      const text = data.toString();
      seen.push(type === '' ? text : [type, text]);
    },
    onId: (id) => seen.push({ id }),
    onRetry: (retry) => seen.push({ retry }),
  });
  const taken = chunks.map((chunk) => stream.push(chunk));
  return { seen, ok: taken.at(-1) ?? true };
};

const readText = (text: string): readonly unknown[] => read([Buffer.from(text)]).seen;

describe('an event stream', () => {
  it.each([
    ['data: a\n\n', ['a']],
    ['data:a\n\n', ['a']],
    ['data:  a\n\n', [' a']],
    ['data: a\r\n\r\n', ['a']],
    ['data: a\r\r', ['a']],
    ['data: a\ndata: b\n\n', ['a\nb']],
    ['data\n\n', ['']],
    ['data: a', []],
    ['data: a\n', []],
    [': comment\n\n', []],
    ['\n\n\n', []],
    ['event: message\ndata: a\n\n', [['message', 'a']]],
    ['event: x\n\ndata: a\n\n', ['a']],
    ['id: 1\ndata: a\n\n', [{ id: '1' }, 'a']],
    ['id: 1\n\n', [{ id: '1' }]],
    ['id: 1\0\n\n', []],
    ['retry: 250\n\n', [{ retry: 250 }]],
    ['retry: 2x\n\n', []],
    ['\ufeffdata: a\n\n', ['a']],
    ['data: \ufeffa\n\n', ['\ufeffa']],
    ['Data: a\ndatax: b\nother: c\n\n', []],
    ['data: größe 🙂\u2028\n\n', ['größe 🙂\u2028']],
  ])('reads %j', (text, events) => {
    expect(readText(text)).toEqual(events);
  });

  const fieldOf = (line: string): readonly [string, string] => {
    const [, field = line, value = ''] = /^([^:]*): ?(.*)$/su.exec(line) ?? [];
    return [field, value];
  };

  /** What the lines of one event say, by the letter of the standard. */
  const eventOf = (lines: readonly string[]): readonly unknown[] => {
    const fields = lines.map(fieldOf);
    const told = fields.flatMap(([field, value]): readonly unknown[] => {
      if (field === 'id' && !value.includes('\0')) return [{ id: value }];
      return field === 'retry' && /^\d+$/.test(value) ? [{ retry: Number(value) }] : [];
    });
    const type = fields.findLast(([field]) => field === 'event')?.[1] ?? '';
    const data = fields.flatMap(([field, value]) => (field === 'data' ? [value] : []));
    if (data.length === 0) return told;
    return [...told, type === '' ? data.join('\n') : [type, data.join('\n')]];
  };

  /** The whole text at once. What an unfinished event says of ids and times counts at once too. */
  const byTheLetter = (text: string): readonly unknown[] => {
    const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
    const finished = lines.slice(0, -1);
    const last = finished.lastIndexOf('') + 1;
    const events: string[][] = [[]];
    for (const line of finished.slice(0, last))
      if (line === '') events.push([]);
      else events.at(-1)?.push(line);
    const open = finished.slice(last).filter((line) => !/^(data|event)(:|$)/.test(line));
    return [...events.flatMap(eventOf), ...eventOf(open)];
  };

  it('reads the same wherever the network cuts it', () => {
    const piece = fc.oneof(
      fc.constantFrom('data', 'event', 'id', 'retry', ':', ': ', '\n', '\r', '\r\n', '\n\n', '\0'),
      fc.constantFrom('data: ', '\ufeff', '🙂', 'ü', '7', '{"a":1}'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(300), { maxLength: 10 }), (source, cuts) => {
        const bytes = Buffer.from(source);
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length];
        places.sort((a, b) => a - b);
        const chunks = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
        expect(read(chunks).seen).toEqual(byTheLetter(bytes.toString('utf8')));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is bounded in each event, not as a whole', () => {
    const event = Buffer.from(`data: ${'x'.repeat(90)}\n\n`);
    expect(read([event, event, event], 100).ok).toBe(true);
    expect(read([Buffer.from('x'.repeat(101))], 100).ok).toBe(false);
    expect(read([Buffer.from('x'.repeat(60)), Buffer.from('x'.repeat(60))], 100).ok).toBe(false);
    expect(read([Buffer.from(`data: a\n`.repeat(20))], 100).ok).toBe(false);
    const after = read([Buffer.from('x'.repeat(101)), event], 100);
    expect(after).toEqual({ seen: [], ok: false });
  });

  it('takes time in proportion to its length, whatever its line ends', () => {
    const took = (text: string): number => {
      const bytes = Buffer.from(text);
      // Not the time: other processes of the machine take parts of it.
      const before = threadCpuUsage();
      read([bytes], bytes.length + 1);
      const { user, system } = threadCpuUsage(before);
      return (user + system) / 1_000;
    };
    const lines = 400_000;
    took('\n'.repeat(lines));
    expect(took(`${'\n'.repeat(lines)}\r`)).toBeLessThan(2_000);
    expect(took(`${'\r'.repeat(lines)}\n`)).toBeLessThan(2_000);
  });
});
