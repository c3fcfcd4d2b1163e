import { describe, expect, it } from 'vitest';
import { applyEdits, listFieldEdits } from '../../src/compose/field-edits.ts';
import type { Json } from '../../src/store/agent-store.ts';

const VALUES: Json = {
  muster: { serverRef: { name: 'other' } },
  agent: { name: 'sre', description: 'helps', own: 1 },
  modelConfig: { name: 'small' },
  unknown: [1],
};

describe('the values after a change', () => {
  it('differ where the caller requested it, and keep their order', () =>
    expect(
      JSON.stringify(applyEdits(VALUES, listFieldEdits({ description: 'new', runtime: 'go' }))),
    ).toBe(
      '{"muster":{"serverRef":{"name":"other"}},"agent":{"name":"sre","description":"new","own":1,"runtime":"go"},"modelConfig":{"name":"small"},"unknown":[1]}',
    ));

  it('lose removed values, and maps that become empty', () =>
    expect(applyEdits(VALUES, listFieldEdits({ description: '', modelConfig: ' ' }))).toEqual({
      muster: { serverRef: { name: 'other' } },
      agent: { name: 'sre', own: 1 },
      unknown: [1],
    }));

  it('are the same object when nothing is taken away that was there', () =>
    expect(
      applyEdits(VALUES, listFieldEdits({ iconUrl: '', labels: {}, skills: {}, annotations: {} })),
    ).toBe(VALUES));

  it('replace blocks whole', () =>
    expect(
      applyEdits(
        { labels: { a: '1', b: '2' }, skills: { refs: ['x'], own: true } },
        listFieldEdits({ labels: { b: '3' }, skills: { refs: ['y'] } }),
      ),
    ).toEqual({ labels: { b: '3' }, skills: { refs: ['y'] } }));

  it('leave an empty map of others alone', () =>
    expect(applyEdits({ agent: {} }, listFieldEdits({ description: '' }))).toEqual({ agent: {} }));

  it('replace a value that is not a map by a map', () =>
    expect(
      applyEdits({ agent: null, modelConfig: 'x' }, listFieldEdits({ modelConfig: 'm' })),
    ).toEqual({
      agent: null,
      modelConfig: { name: 'm' },
    }));
});
