import { describe, expect, it } from 'vitest';
import { parseSelector } from '../src/index.ts';
import { requirement } from './requirement.ts';

requirement('2.1/forms', () => {
  it('takes a preset', () =>
    expect(parseSelector('preset:read-only')).toEqual({
      ok: true,
      value: { kind: 'preset', name: 'read-only', text: 'preset:read-only' },
    }));
  it('takes a server', () =>
    expect(parseSelector('server:k8s')).toEqual({
      ok: true,
      value: { kind: 'server', name: 'k8s', text: 'server:k8s' },
    }));
  it('takes a workflow', () =>
    expect(parseSelector('workflow:deploy')).toEqual({
      ok: true,
      value: { kind: 'workflow', name: 'deploy', text: 'workflow:deploy' },
    }));
  it('takes a tool', () =>
    expect(parseSelector('tool:core_workflow_list')).toEqual({
      ok: true,
      value: {
        kind: 'tool',
        name: 'core_workflow_list',
        text: 'tool:core_workflow_list',
      },
    }));
  it('refuses a fifth kind', () =>
    expect(parseSelector('group:a')).toEqual({
      ok: false,
      error: { code: 'toolset.malformed', selector: 'group:a' },
    }));
  it('refuses a kind without a name', () =>
    expect(parseSelector('server:')).toEqual({
      ok: false,
      error: { code: 'toolset.malformed', selector: 'server:' },
    }));
  it.each(['a b', 'a\tb', 'a\nb', 'a\fb', 'a\rb', 'a,b'])('refuses the name %j', (name) =>
    expect(parseSelector(`tool:${name}`).ok).toBe(false),
  );
  it.each(['a\vb', 'a\u00a0b', 'a\u2028b', 'a:b', 'a;b'])('takes the name %j', (name) =>
    expect(parseSelector(`tool:${name}`).ok).toBe(true),
  );
});

requirement('2.1/exact-names', () => {
  it('keeps the case of a name', () =>
    expect(parseSelector('server:K8S')).toMatchObject({ value: { name: 'K8S' } }));
  it('does not normalise a name', () =>
    expect(parseSelector('server:e\u0301')).toMatchObject({ value: { name: 'e\u0301' } }));
  it('refuses a kind in another case', () =>
    expect(parseSelector('Server:k8s')).toMatchObject({ error: { code: 'toolset.malformed' } }));
});

requirement('2.1/reserved-toolset', () => {
  it.each(['toolset:x', 'toolset:', 'toolset:a b', 'toolset:a:b'])('reserves %j', (selector) =>
    expect(parseSelector(selector)).toEqual({
      ok: false,
      error: { code: 'toolset.reserved', selector },
    }),
  );
  it.each(['toolset', 'toolsets:x', 'Toolset:x', 'toolset :x'])('does not reserve %j', (selector) =>
    expect(parseSelector(selector)).toMatchObject({ error: { code: 'toolset.malformed' } }),
  );
  it('takes toolset as a name', () => expect(parseSelector('tool:toolset').ok).toBe(true));
});

requirement('2.1/label-in-presets', () => {
  it.each(['label:team=a', 'label:team', 'label:', 'label:a b'])('refuses %j', (selector) =>
    expect(parseSelector(selector)).toEqual({
      ok: false,
      error: { code: 'toolset.label', selector },
    }),
  );
  it.each(['label', 'labels:a=b', 'label=a'])('finds no label in %j', (selector) =>
    expect(parseSelector(selector)).toMatchObject({ error: { code: 'toolset.malformed' } }),
  );
  it('takes label as a name', () => expect(parseSelector('tool:label').ok).toBe(true));
});

describe('open names', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('knows no kind %j', (kind) =>
    expect(parseSelector(`${kind}:a`)).toMatchObject({ error: { code: 'toolset.malformed' } }),
  );
  it.each(['__proto__', 'constructor', '🚀'])('takes the name %j', (name) =>
    expect(parseSelector(`preset:${name}`)).toMatchObject({ value: { name } }),
  );
  it('accepts a name of ten million characters', () => {
    const name = 'n'.repeat(10_000_000);
    expect(parseSelector(`tool:${name}`)).toMatchObject({ ok: true, value: { name } });
  });
  it('refuses a blank at the end of ten million characters', () =>
    expect(parseSelector(`tool:${'n'.repeat(10_000_000)} n`).ok).toBe(false));
});
