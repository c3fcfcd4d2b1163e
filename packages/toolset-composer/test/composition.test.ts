import { MAX_INLINE_SELECTORS, parseToolset } from '@gateway/toolset-grammar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addText,
  choose,
  type Composition,
  toDeclaredToolset,
  EMPTY_COMPOSITION,
  formatError,
  isChosen,
  isEmpty,
  remove,
  listSelectorProblems,
  validateSize,
  fromToolset,
  toggle,
} from '../src/composition.ts';
import { requirement } from './requirement.ts';

const of = (...selectors: readonly string[]): Composition => ({ selectors });
const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `tool:x_a_${at}`);

describe('choosing', () => {
  it('appends a selector once', () => {
    const once = choose(of('server:k8s'), 'workflow:triage');
    expect(once.selectors).toEqual(['server:k8s', 'workflow:triage']);
    expect(choose(once, 'server:k8s')).toBe(once);
  });

  it.each(['preset:none', 'preset:full'])('%s stands alone', (exclusive) => {
    expect(choose(of('server:k8s', 'preset:read-only'), exclusive).selectors).toEqual([exclusive]);
    expect(choose(of(exclusive), 'server:k8s').selectors).toEqual(['server:k8s']);
  });

  it('does not drop other presets', () => {
    const both = ['preset:read-only', 'server:k8s'];
    expect(choose(of('preset:read-only'), 'server:k8s').selectors).toEqual(both);
  });

  it('toggles and removes', () => {
    expect(toggle(EMPTY_COMPOSITION, 'server:k8s').selectors).toEqual(['server:k8s']);
    expect(toggle(of('server:k8s'), 'server:k8s').selectors).toEqual([]);
    const unchanged = of('server:k8s');
    expect(remove(unchanged, 'server:other')).toBe(unchanged);
    expect(isChosen(unchanged, 'server:k8s')).toBe(true);
    expect(isChosen(unchanged, 'server:K8s')).toBe(false);
  });

  it('starts from the toolset of another agent, without duplicates', () => {
    const { selectors } = fromToolset(['server:a', 'preset:p', 'server:a']);
    expect(selectors).toEqual(['server:a', 'preset:p']);
  });
});

describe('typed selectors', () => {
  const FORMS =
    'Use preset:<name>, server:<name>, workflow:<name> or tool:<name> with the exact name.';

  it.each([
    ['', 'A selector cannot be empty.'],
    ['   ', 'A selector cannot be empty.'],
    ['toolset:x', '"toolset:x" is reserved for shared toolsets, which do not exist yet.'],
    [
      'label:team=a',
      '"label:team=a" selects by label, which is allowed inside presets only. Ask a platform admin for a preset.',
    ],
    ['k8s', `"k8s" is not a selector. ${FORMS}`],
    ['Server:k8s', `"Server:k8s" is not a selector. ${FORMS}`],
    ['server:a,b', `"server:a,b" is not a selector. ${FORMS}`],
  ])('refuses %j', (text, sentence) => {
    const added = addText(of('server:k8s'), text);
    expect(added.ok ? added : formatError(added.error)).toBe(sentence);
  });

  it.each([
    ['  server:k8s\n', 'server:k8s'],
    ...['__proto__', 'constructor', '😀', '\u202Eabc'].map((name) => [
      `tool:${name}`,
      `tool:${name}`,
    ]),
  ] as [string, string][])('accepts %j, trimmed', (text, selector) => {
    expect(addText(EMPTY_COMPOSITION, text)).toEqual({ ok: true, value: of(selector) });
  });
});

describe('the size of a toolset', () => {
  it('may be 32 selectors', () => {
    expect(validateSize({ selectors: names(32) })).toBeUndefined();
  });

  it('may not be 33', () => {
    const problem = validateSize({ selectors: names(33) });
    expect(problem && formatError(problem)).toBe(
      '33 selectors is more than the 32 a toolset may list inline. Define a preset for this selection and reference it instead.',
    );
  });

  it('reports what another agent declares and the grammar refuses', () => {
    expect(listSelectorProblems(fromToolset(['server:a', 'toolset:x'])).map(formatError)).toEqual([
      '"toolset:x" is reserved for shared toolsets, which do not exist yet.',
    ]);
  });
});

requirement('9.2/portal-release', () => {
  it('declares the selectors as they were chosen', () => {
    expect(toDeclaredToolset(of('tool:b', 'server:a'))).toEqual(['tool:b', 'server:a']);
  });

  it('declares preset:none when nothing is chosen', () => {
    expect(isEmpty(EMPTY_COMPOSITION)).toBe(true);
    expect(toDeclaredToolset(EMPTY_COMPOSITION)).toEqual(['preset:none']);
  });
});

describe('whatever a user does', () => {
  const selector = fc.constantFrom(
    ...['preset:none', 'preset:full', 'preset:read-only', 'server:a', 'tool:b', 'workflow:c'],
  );
  const action = fc.oneof(
    selector.map((text) => (from: Composition) => choose(from, text)),
    selector.map((text) => (from: Composition) => toggle(from, text)),
    selector.map((text) => (from: Composition) => remove(from, text)),
    fc.string().map((text) => (from: Composition) => {
      const added = addText(from, text);
      return added.ok ? added.value : from;
    }),
  );

  it('is a toolset that the gateway accepts, with the exclusive presets alone', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: MAX_INLINE_SELECTORS }), (actions) => {
        const end = actions.reduce((from, act) => act(from), EMPTY_COMPOSITION);
        const declared = toDeclaredToolset(end);
        expect(parseToolset(declared).ok).toBe(true);
        expect(new Set(declared).size).toBe(declared.length);
        if (declared.includes('preset:none') || declared.includes('preset:full'))
          expect(declared).toHaveLength(1);
      }),
    );
  });
});
