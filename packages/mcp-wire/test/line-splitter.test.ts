import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../src/line-splitter.ts';
import { decodeText } from '../src/raw-json.ts';

const linesOf = (chunks: readonly Buffer[], maxBytes = 1_000) => {
  const lines: string[] = [];
  const splitter = createLineSplitter(maxBytes, (line) => lines.push(decodeText(line)));
  const outcomes = chunks.map((chunk) => splitter.push(chunk).ok);
  return { lines, outcomes, rest: decodeText(splitter.flush()) };
};

describe('lines', () => {
  it('are the same however the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(20)), (texts, cuts) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''), 'utf8');
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(bytes.subarray(at));
        expect(linesOf(chunks, 100_000).lines).toEqual(texts);
      }),
    );
  });

  it('end with LF or CR LF', () => {
    expect(linesOf([Buffer.from('a\r\nb\n\nc')])).toEqual({
      lines: ['a', 'b', ''],
      outcomes: [true],
      rest: 'c',
    });
  });

  it('are as long as the bound and no longer', () => {
    expect(linesOf([Buffer.from('aaaa\n')], 4).lines).toEqual(['aaaa']);
    expect(linesOf([Buffer.from('aaa'), Buffer.from('aa')], 4).outcomes).toEqual([true, false]);
  });
});
