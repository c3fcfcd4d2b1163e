import { describe, expect, it } from 'vitest';
import { parsePresets, formatError, type PresetError } from '../src/index.ts';
import { requirement } from './requirement.ts';

const errorsOf = (config: unknown, gatewayVersion = '5.13.0'): readonly PresetError[] => {
  const parsed = parsePresets(config, { gatewayVersion });
  return parsed.ok ? [] : parsed.error;
};

/** Each refusal with its path: `a/include/0/tool: text`. */
const refusals = (config: unknown, gatewayVersion?: string): readonly string[] =>
  errorsOf(config, gatewayVersion).map((error) => `${error.path.join('/')}: ${formatError(error)}`);

const ofRule = (rule: unknown, gatewayVersion?: string): readonly string[] =>
  refusals({ p: { include: [{ tool: 'a' }, rule] } }, gatewayVersion);

requirement('7.3/built-in', () => {
  it.each(['read-only', 'none', 'full'])('refuses to redefine %s', (name) =>
    expect(refusals({ [name]: { include: [] } })).toEqual([
      `${name}: toolsetPresets: preset "${name}" is built in and cannot be redefined`,
    ]),
  );
  it('accepts Full', () => expect(refusals({ Full: { include: [] } })).toEqual([]));
});

requirement('7.3/one-key', () => {
  const text =
    'p/include/1: toolsetPresets: preset "p" include[1] must set exactly one of tool, pattern, server, workflow, readOnly, preset, label';
  it.each([
    {},
    null,
    undefined,
    'tool',
    5,
    [],
    { tool: '' },
    { tool: null },
    { tool: 'a', server: 'b' },
    { readOnly: false, tool: 'a' },
    {
      tool: 'a',
      pattern: 'b',
      server: 'c',
      workflow: 'd',
      readOnly: true,
      preset: 'e',
      label: 'f',
    },
  ])('refuses %j', (rule) => expect(ofRule(rule)).toEqual([text]));
  it.each([
    { tool: 'a' },
    { pattern: '*' },
    { server: 'a' },
    { workflow: 'a' },
    { readOnly: true },
    { preset: 'none' },
    { label: 'a' },
    { tool: 'a', server: '' },
    { tool: 'a', server: null },
  ])('accepts %j', (rule) => expect(ofRule(rule)).toEqual([]));
  it('refuses a rule of exclude alike', () =>
    expect(refusals({ p: { include: [], exclude: [{}] } })).toEqual([
      'p/exclude/0: toolsetPresets: preset "p" exclude[0] must set exactly one of tool, pattern, server, workflow, readOnly, preset, label',
    ]));
});

requirement('7.3/pattern', () => {
  it.each(['[', '[]a]', '[a-]', 'core_\\'])('refuses %j', (pattern) =>
    expect(ofRule({ pattern })).toEqual([
      `p/include/1/pattern: toolsetPresets: preset "p" include[1] pattern ${JSON.stringify(pattern)} is invalid: syntax error in pattern`,
    ]),
  );
  it('refuses 257 characters', () =>
    expect(ofRule({ pattern: 'a'.repeat(257) })).toEqual([
      'p/include/1/pattern: toolsetPresets: preset "p" include[1] pattern is invalid: longer than 256 characters',
    ]));
  it.each(['core_*', '[a-z]', '{a,b}', 'a'.repeat(256)])('accepts %j', (pattern) =>
    expect(ofRule({ pattern })).toEqual([]),
  );
});

requirement('7.3/read-only-false', () => {
  it('refuses false', () =>
    expect(ofRule({ readOnly: false })).toEqual([
      'p/include/1/readOnly: toolsetPresets: preset "p" include[1] readOnly: false selects nothing; omit the rule',
    ]));
  it.each(['true', 1, 0, {}])('refuses %j', (readOnly) =>
    expect(ofRule({ readOnly })).toEqual([
      'p/include/1/readOnly: toolsetPresets: preset "p" include[1] readOnly must be true',
    ]),
  );
  it('accepts true', () => expect(ofRule({ readOnly: true })).toEqual([]));
});

requirement('7.3/exclude-composes', () => {
  it('refuses a preset in exclude', () =>
    expect(refusals({ p: { include: [], exclude: [{ tool: 'a' }, { preset: 'none' }] } })).toEqual([
      'p/exclude/1/preset: toolsetPresets: preset "p" exclude[1] cannot compose a preset in exclude; only include may',
    ]));
  it('accepts it in include', () => expect(ofRule({ preset: 'none' })).toEqual([]));
});

requirement('7.3/unknown-composition', () => {
  it('refuses it and names the known presets', () =>
    expect(
      refusals({ z: { include: [] }, a: { include: [{ tool: 'a' }, { preset: 'b' }] } }),
    ).toEqual([
      'a/include/1/preset: toolsetPresets: preset "a" include[1] includes unknown preset "b"; known presets: read-only, none, full, a, z',
    ]));
  it('finds no inherited name', () =>
    expect(ofRule({ preset: 'constructor' })).toEqual([
      'p/include/1/preset: toolsetPresets: preset "p" include[1] includes unknown preset "constructor"; known presets: read-only, none, full, p',
    ]));
  it('accepts a preset that comes later', () =>
    expect(refusals({ a: { include: [{ preset: 'z' }] }, z: { include: [] } })).toEqual([]));
});

requirement('7.3/cycle', () => {
  it('refuses two that compose each other', () =>
    expect(
      refusals({
        b: { include: [{ preset: 'a' }] },
        a: { include: [{ tool: 't' }, { preset: 'b' }] },
      }),
    ).toEqual([
      'a/include/1/preset: toolsetPresets: preset "a" include[1] preset composition cycles: a -> b -> a',
    ]));
  it('refuses one that composes itself', () =>
    expect(refusals({ a: { include: [{ preset: 'a' }] } })).toEqual([
      'a/include/0/preset: toolsetPresets: preset "a" include[0] preset composition cycles: a -> a',
    ]));
  it('names the cycle and not the way to it', () =>
    expect(
      refusals({
        a: { include: [{ preset: 'b' }] },
        b: { include: [{ preset: 'none' }, { preset: 'c' }] },
        c: { include: [{ preset: 'b' }] },
      }),
    ).toEqual([
      'b/include/1/preset: toolsetPresets: preset "b" include[1] preset composition cycles: b -> c -> b',
    ]));
  it('reports every cycle', () =>
    expect(
      refusals({
        a: { include: [{ preset: 'a' }, { preset: 'b' }] },
        b: { include: [{ preset: 'a' }] },
        c: { include: [{ preset: 'c' }] },
      }),
    ).toEqual([
      'a/include/0/preset: toolsetPresets: preset "a" include[0] preset composition cycles: a -> a',
      'a/include/1/preset: toolsetPresets: preset "a" include[1] preset composition cycles: a -> b -> a',
      'c/include/0/preset: toolsetPresets: preset "c" include[0] preset composition cycles: c -> c',
    ]));
  it('accepts two ways to one preset', () =>
    expect(
      refusals({
        a: { include: [{ preset: 'b' }, { preset: 'c' }] },
        b: { include: [{ preset: 'd' }] },
        c: { include: [{ preset: 'd' }] },
        d: { include: [] },
      }),
    ).toEqual([]));
  it('finds a cycle of 20,000 presets', () => {
    const config = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [
        `p${index}`,
        { include: [{ preset: `p${(index + 1) % 20_000}` }] },
      ]),
    );
    expect(errorsOf(config)).toMatchObject([{ code: 'rule.cycle', preset: 'p0', index: 0 }]);
  });
});

requirement('7.3/label-version', () => {
  it.each(['5.11.9', '5.11.0', '4.99.0', '5.12.0-rc.1', 'v5.11.3'])('refuses it on %s', (version) =>
    expect(ofRule({ label: 'team=a' }, version)).toEqual([
      `p/include/1/label: toolsetPresets: preset "p" include[1] label requires gateway 5.12.0 or later; this is ${version}`,
    ]),
  );
  it.each(['5.12.0', '5.12.1-rc.1', '5.13.0', '6.0.0-alpha', '10.0.0', 'v5.12.0', '5.12.0+build'])(
    'accepts it on %s',
    (version) => expect(ofRule({ label: 'team=a' }, version)).toEqual([]),
  );
  it('accepts other rules on an older gateway', () =>
    expect(ofRule({ server: 'a' }, '5.11.0')).toEqual([]));
  it('takes a version that is none for a bug', () =>
    expect(() => ofRule({ label: 'a' }, 'latest')).toThrow('"latest" is no semantic version'));
});

requirement('9.2/label-rule', () => {
  it('comes with 5.12.0', () => {
    const config = { p: { include: [{ label: 'team' }] } };
    expect(errorsOf(config, '5.12.0')).toEqual([]);
    expect(errorsOf(config, '5.11.0')).toMatchObject([{ code: 'rule.label-too-new' }]);
  });
});

requirement('2.2/include', () => {
  it.each([{}, { include: null }, { include: 'a' }, { include: {} }, { description: 'a' }])(
    'refuses the preset %j without a list of rules',
    (preset) =>
      expect(errorsOf({ p: preset }).map(formatError)).toEqual([
        'toolsetPresets: preset "p" include must be a list of rules',
      ]),
  );
  it('points at the preset where the list is missing, else at the list', () => {
    expect(errorsOf({ p: {} })).toMatchObject([{ path: ['p'] }]);
    expect(errorsOf({ p: { include: 5 } })).toMatchObject([{ path: ['p', 'include'] }]);
  });
  it('accepts an empty list', () => expect(errorsOf({ p: { include: [] } })).toEqual([]));
  it.each(['tool', 'pattern', 'server', 'workflow', 'preset', 'label'])(
    'wants a text for %s',
    (key) =>
      expect(ofRule({ [key]: 5 })).toEqual([
        `p/include/1/${key}: toolsetPresets: preset "p" include[1] ${key} must be a string`,
      ]),
  );
  it('refuses an unknown key', () =>
    expect(ofRule({ tols: 'a' })).toEqual([
      'p/include/1/tols: toolsetPresets: preset "p" include[1] has the unknown key "tols"; a rule sets exactly one of tool, pattern, server, workflow, readOnly, preset, label',
    ]));
  it('refuses an unknown key beside a known one', () =>
    expect(ofRule({ tool: 'a', Server: 'b' })).toHaveLength(1));
  it('takes __proto__ and constructor for unknown keys', () =>
    expect(ofRule(JSON.parse('{"__proto__": "a", "constructor": "b"}'))).toEqual([
      expect.stringContaining('has the unknown key "__proto__"'),
      expect.stringContaining('has the unknown key "constructor"'),
    ]));
});

requirement('2.2/exclude', () => {
  it.each([{ include: [] }, { include: [], exclude: null }, { include: [], exclude: [] }])(
    'accepts %j',
    (preset) => expect(errorsOf({ p: preset })).toEqual([]),
  );
  it('refuses what is no list', () =>
    expect(refusals({ p: { include: [], exclude: { tool: 'a' } } })).toEqual([
      'p/exclude: toolsetPresets: preset "p" exclude must be a list of rules',
    ]));
});

describe('labels', () => {
  it.each(['=a', '', 'a b', 'a=b=c', '-a', 'a=b/c', '/a', 'ä', 'a= ', 'a\n'])(
    'refuses %j',
    (label) =>
      expect(ofRule({ label, ...(label === '' ? { label: ' ' } : {}) })).toEqual([
        expect.stringMatching(/ label ".*" is invalid; expected <key>=<value> or <key>$/),
      ]),
  );
  it('quotes the label', () =>
    expect(ofRule({ label: 'a=b=c' })).toEqual([
      'p/include/1/label: toolsetPresets: preset "p" include[1] label "a=b=c" is invalid; expected <key>=<value> or <key>',
    ]));
  it.each([
    'a',
    'a=',
    'a=b',
    'gateway.internal/tool-group=infrastructure',
    '9_x=-',
    'A.b/c-d_e=F.g',
  ])('accepts %j', (label) => expect(ofRule({ label })).toEqual([]));
  it('refuses ten million characters', () =>
    expect(errorsOf({ p: { include: [{ label: `${'a'.repeat(10_000_000)} ` }] } })).toMatchObject([
      { code: 'rule.bad-label' },
    ]));
});

describe('names of presets', () => {
  it.each(['', ' ', 'a b', '-a', '.a', '_a', 'a/b', 'ä', 'a:b', 'a,b', 'a\n'])(
    'refuses %j',
    (name) =>
      expect(refusals({ [name]: { include: [] } })).toEqual([
        `${name}: toolsetPresets: preset name ${JSON.stringify(name)} is invalid; use letters, digits, '.', '_' or '-'`,
      ]),
  );
  it('refuses __proto__ as a name', () =>
    expect(refusals(JSON.parse('{"__proto__": {"include": []}}'))).toEqual([
      "__proto__: toolsetPresets: preset name \"__proto__\" is invalid; use letters, digits, '.', '_' or '-'",
    ]));
  it.each(['a', '9', 'A-b_c.d', 'constructor', 'toString', 'hasOwnProperty'])(
    'accepts %j',
    (name) => expect(refusals({ [name]: { include: [] } })).toEqual([]),
  );
});

describe('the shape of the configuration', () => {
  it.each([[[]], ['presets'], [5], [true]])('refuses %j', (config) =>
    expect(refusals(config)).toEqual([
      ': toolsetPresets: must be a map from preset name to preset',
    ]),
  );
  it.each([null, 5, 'read', [], true])('refuses the preset %j', (preset) =>
    expect(refusals({ p: preset })).toEqual([
      'p: toolsetPresets: preset "p" must be an object with description, include and exclude',
    ]),
  );
  it('refuses an unknown field', () =>
    expect(refusals({ p: { include: [], exlude: [] } })).toEqual([
      'p/exlude: toolsetPresets: preset "p" has the unknown field "exlude"; a preset has description, include and exclude',
    ]));
  it.each([5, {}, ['a']])('refuses the description %j', (description) =>
    expect(refusals({ p: { include: [], description } })).toEqual([
      'p/description: toolsetPresets: preset "p" description must be a string',
    ]),
  );
});

requirement('7.3/names-preset-and-position', () => {
  it('reports every problem at once: presets by name, then compositions, then cycles', () =>
    expect(
      refusals(
        {
          zeta: { include: [{ preset: 'zeta' }, { preset: 'gone' }] },
          none: { include: [{}] },
          'b d': { include: [{ tool: 'a', server: 'b' }] },
          alpha: {
            description: 5,
            extra: true,
            include: [{ pattern: '[' }, { readOnly: false }, { tol: 'a', label: '=' }],
            exclude: [{ preset: 'zeta' }, { label: 'team' }],
          },
        },
        '5.11.0',
      ),
    ).toEqual([
      'alpha/extra: toolsetPresets: preset "alpha" has the unknown field "extra"; a preset has description, include and exclude',
      'alpha/description: toolsetPresets: preset "alpha" description must be a string',
      'alpha/include/0/pattern: toolsetPresets: preset "alpha" include[0] pattern "[" is invalid: syntax error in pattern',
      'alpha/include/1/readOnly: toolsetPresets: preset "alpha" include[1] readOnly: false selects nothing; omit the rule',
      'alpha/include/2/tol: toolsetPresets: preset "alpha" include[2] has the unknown key "tol"; a rule sets exactly one of tool, pattern, server, workflow, readOnly, preset, label',
      'alpha/include/2/label: toolsetPresets: preset "alpha" include[2] label "=" is invalid; expected <key>=<value> or <key>',
      'alpha/include/2/label: toolsetPresets: preset "alpha" include[2] label requires gateway 5.12.0 or later; this is 5.11.0',
      'alpha/exclude/0/preset: toolsetPresets: preset "alpha" exclude[0] cannot compose a preset in exclude; only include may',
      'alpha/exclude/1/label: toolsetPresets: preset "alpha" exclude[1] label requires gateway 5.12.0 or later; this is 5.11.0',
      "b d: toolsetPresets: preset name \"b d\" is invalid; use letters, digits, '.', '_' or '-'",
      'b d/include/0: toolsetPresets: preset "b d" include[0] must set exactly one of tool, pattern, server, workflow, readOnly, preset, label',
      'none: toolsetPresets: preset "none" is built in and cannot be redefined',
      'zeta/include/1/preset: toolsetPresets: preset "zeta" include[1] includes unknown preset "gone"; known presets: read-only, none, full, alpha, b d, zeta',
      'zeta/include/0/preset: toolsetPresets: preset "zeta" include[0] preset composition cycles: zeta -> zeta',
    ]));
  it('counts positions over refused rules', () =>
    expect(errorsOf({ p: { include: [{}, { preset: 'gone' }] } })).toMatchObject([
      { code: 'rule.not-one-key', index: 0 },
      { code: 'rule.unknown-preset', preset: 'p', list: 'include', index: 1 },
    ]));
});
