import { describe, expect, it } from 'vitest';
import { readSessionKey } from '../src/index.ts';

describe('the session key', () => {
  it('is absent when the variable is unset or empty', () => {
    expect(readSessionKey({}, 'KEY')).toEqual({ ok: true, key: undefined });
    expect(readSessionKey({ KEY: '' }, 'KEY')).toEqual({ ok: true, key: undefined });
  });

  it('is 32 bytes, equal for equal secrets and different for others', () => {
    const key = (secret: string): unknown => {
      const read = readSessionKey({ KEY: secret }, 'KEY');
      return read.ok ? Buffer.from(read.key ?? []).toString('hex') : read.problem;
    };
    expect(key('a'.repeat(32))).toBe(
      '3ba3f5f43b92602683c19aee62a20342b084dd5971ddd33808d81a328879a547',
    );
    expect(key('b'.repeat(32))).not.toBe(key('a'.repeat(32)));
  });

  it('refuses a secret of 31 characters without repeating it', () => {
    expect(readSessionKey({ KEY: 'secret-'.padEnd(31, 'x') }, 'KEY')).toEqual({
      ok: false,
      problem: 'KEY must have at least 32 characters',
    });
  });
});
