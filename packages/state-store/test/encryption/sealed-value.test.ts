import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openValue, sealValue } from '../../src/encryption/encrypted-store.ts';
import { findKey } from './keys.ts';

const [A, B, C] = [findKey(1), findKey(2), findKey(3)];
const text = fc.string({ unit: 'binary', maxLength: 200 });

it('returns any value that it sealed', () => {
  fc.assert(
    fc.property(text, text, (value, context) => {
      const sealed = sealValue(value, context, A);
      expect(openValue(sealed, context, { current: A })).toBe(value);
      expect(openValue(sealed, context, { current: B, previous: A })).toBe(value);
    }),
  );
});

it('opens nothing under another key or another context', () => {
  fc.assert(
    fc.property(text, text, text, (value, context, other) => {
      fc.pre(context !== other);
      const sealed = sealValue(value, context, A);
      expect(openValue(sealed, other, { current: A })).toBeUndefined();
      expect(openValue(sealed, context, { current: B, previous: C })).toBeUndefined();
      const renamed = sealed.replace(A.id, B.id);
      expect(openValue(renamed, context, { current: A, previous: B })).toBeUndefined();
    }),
  );
});

it('opens nothing of which a bit was changed, or that was cut or extended', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 0, max: 7 }), (value, at, bit) => {
      const sealed = sealValue(value, 'context', A);
      const [version, id, body] = sealed.split('.') as [string, string, string];
      const bytes = Buffer.from(body, 'base64url');
      const index = at % bytes.length;
      const with_ = (changed: Buffer): string =>
        `${version}.${id}.${changed.toString('base64url')}`;
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(index) ^ (1 << bit), index);
      for (const changed of [
        with_(flipped),
        with_(bytes.subarray(0, index)),
        with_(Buffer.concat([bytes, Buffer.of(bit)])),
        `v2.${id}.${body}`,
        `${sealed}.x`,
        `${version}.${id}`,
      ]) {
        expect(openValue(changed, 'context', { current: A })).toBeUndefined();
      }
    }),
  );
});

it('opens nothing that is not a sealed value', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(openValue(value, '', { current: A })).toBeUndefined();
    }),
  );
});

it('seals equal values differently', () => {
  const sealed = new Set(Array.from({ length: 1_000 }, () => sealValue('value', 'context', A)));
  expect(sealed.size).toBe(1_000);
});

it('opens what earlier releases sealed', () => {
  const sealed = 'v1.hlYX3nPV.abH0fZ4L5rC4saek35F6bTkelTKD9ZCjz62aEfoU0y7qhz8';
  expect(openValue(sealed, 'a context', { current: A })).toBe('a value');
});
