import { expect, it } from 'vitest';
import { createKeyFilter, readKeptText } from '../../src/kubernetes/referenced-objects.ts';

const KEY = { kind: 'Secret', namespace: 'default', name: 'api', key: 'token' } as const;

const secretOf = (data: object, more: object = {}) => ({
  revision: '7',
  object: { metadata: { namespace: 'default', name: 'api', uid: 'u', ...more }, data },
});

it('keeps the named keys of a Secret, and neither others nor annotations, which repeat values', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'a copy' };
  const secret = secretOf({ token: 'b25l', other: 'aGlkZGVu' }, { annotations });
  const kept = createKeyFilter(new Set(['token', 'absent']))(secret);
  expect(kept).toEqual({
    revision: '7',
    object: {
      metadata: { namespace: 'default', name: 'api', uid: 'u' },
      spec: { token: { encoded: 'b25l' } },
    },
  });
  expect(readKeptText(kept, KEY)).toEqual({ ok: true, text: 'one' });
});

it('does not keep a value that is too long', () => {
  const keep = createKeyFilter(new Set(['token']));
  const text = (chars: number) => readKeptText(keep(secretOf({ token: 'A'.repeat(chars) })), KEY);
  expect(text(524_288)).toMatchObject({ ok: true });
  expect(text(524_292)).toEqual({
    ...{ ok: false, code: 'unreadable' },
    reason: 'the key "token" of Secret default/api is too long',
  });
});
