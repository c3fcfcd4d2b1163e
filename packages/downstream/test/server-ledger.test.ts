import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerTool } from '@gateway/catalog';
import {
  formatCanonicalJson,
  formatLedger,
  parseLedger,
  formatServerLine,
  ServerLedger,
  digestTool,
} from '../src/lists/trust/server-ledger.ts';
import { parseToolEntry } from '../src/lists/list-entry.ts';

const tool = (name: string, rest: object = {}): ServerTool => {
  const made = parseToolEntry({ name, inputSchema: { type: 'object' }, ...rest });
  if (!made.ok) throw new Error(made.reason);
  return made.item;
};
const hint = (readOnlyHint?: boolean) =>
  tool('t', { annotations: readOnlyHint === undefined ? {} : { readOnlyHint } });
const seeing = (pins: boolean, ...tools: readonly ServerTool[]) => {
  const ledger = new ServerLedger(pins);
  const seen = tools.map((one, index) => ledger.observe([one], index).changes);
  return { ledger, last: seen.at(-1) ?? [] };
};

describe('a digest', () => {
  it('is one SHA-256 for each field, and nothing for what is not there', () => {
    expect(digestTool(tool('t', { description: 'd' }))).toBe(
      '.P6WDTckg04XKmwmcn-VdzKFjprJWomH48UcpGw589jM.oseZJio848Ge9c3Zg789ErQ6s8QmInCRuQnctwVHOMA..',
    );
  });

  it('is the same whatever the order of members, and another for another order of items', () => {
    const schema = (a: unknown, b: unknown) => digestTool(tool('t', { inputSchema: { a, b } }));
    const turned = tool('t', { inputSchema: { b: { d: 3, c: 2 }, a: 1 } });
    expect(schema(1, { c: 2, d: 3 })).toBe(digestTool(turned));
    expect(schema([1, 2], 1)).not.toBe(schema([2, 1], 1));
    expect(schema('1', 1)).not.toBe(schema(1, '1'));
  });

  it('sees members of any name', () => {
    const schema = (text: string) =>
      digestTool(tool('t', { inputSchema: JSON.parse(text) as object }));
    expect(schema('{"__proto__":{"a":1}}')).not.toBe(schema('{}'));
    expect(schema('{"__proto__":{"a":1}}')).not.toBe(schema('{"__proto__":{"a":2}}'));
    expect(schema('{"b":1,"__proto__":1}')).toBe(schema('{"__proto__":1,"b":1}'));
  });
});

describe('the declaration of a tool', () => {
  it('is accepted when it is first seen, with its hints', () => {
    const { ledger, last } = seeing(true, hint(true));
    expect([last, ledger.listChanges(), ledger.isHeld('t')]).toEqual([[], [], false]);
  });

  it.each([
    ['title', { title: 'T' }],
    ['description', { description: 'd' }],
    ['inputSchema', { inputSchema: { type: 'object', properties: { a: {} } } }],
    ['outputSchema', { outputSchema: { type: 'object' } }],
    ['annotations', { annotations: { destructiveHint: true } }],
    ['annotations', { annotations: { title: 'a' }, title: undefined }],
  ] as const)('is a change when the %s is another', (field, rest) => {
    const before = { title: 'a' };
    const { ledger, last } = seeing(false, tool('t', before), tool('t', { ...before, ...rest }));
    expect(last.map(({ fields }) => fields)).toEqual([expect.arrayContaining([field])]);
    const change = { tool: 't', at: 1, hintWidened: false, held: false };
    expect(ledger.listChanges()).toMatchObject([change]);
  });

  it('is unchanged when other fields change', () => {
    const [before, after] = [tool('t', { _meta: { a: 1 } }), tool('t', { icons: [] })];
    const { ledger, last } = seeing(false, before, after);
    expect([last, ledger.listChanges()]).toEqual([[], []]);
  });

  it('is reported once, and shown until it is accepted', () => {
    const changed = tool('t', { description: 'd' });
    const { ledger } = seeing(false, tool('t'), changed);
    expect(ledger.observe([changed], 9)).toEqual({ changes: [], isChanged: false });
    expect(ledger.listChanges()).toHaveLength(1);
    expect(ledger.accept(['t'])).toEqual(['t']);
    expect([ledger.listChanges(), ledger.accept()]).toEqual([[], []]);
  });

  it('is still shown when it was changed back, with every field that was ever another', () => {
    const changes = [{}, { description: 'd' }, { title: 'x' }, {}];
    const { ledger } = seeing(false, ...changes.map((rest) => tool('t', rest)));
    const fields = ['title', 'description'];
    const change = { tool: 't', at: 3, fields, hintWidened: false, held: false };
    expect(ledger.listChanges()).toEqual([change]);
  });

  it('is remembered while the tool is not listed', () => {
    const ledger = new ServerLedger(true);
    ledger.observe([hint(false)], 0);
    ledger.observe([], 1);
    expect(ledger.observe([hint(true)], 2).changes).toMatchObject([{ widened: true, held: true }]);
  });
});

describe('a readOnlyHint', () => {
  it.each([
    ['false', hint(false)],
    ['unset', hint()],
  ])('that turns from %s to true widens, and waits only when hints are pinned', (_from, before) => {
    const pinned = seeing(true, before, hint(true));
    const change = { tool: 't', fields: ['annotations'], widened: true, held: true };
    expect(pinned.last).toEqual([change]);
    expect(pinned.ledger.isHeld('t')).toBe(true);
    expect(pinned.ledger.listChanges()).toMatchObject([{ hintWidened: true, held: true }]);
    const open = seeing(false, before, hint(true));
    expect(open.last).toMatchObject([{ widened: true, held: false }]);
    expect(open.ledger.isHeld('t')).toBe(false);
    expect(open.ledger.listChanges()).toMatchObject([{ hintWidened: true, held: false }]);
  });

  it('that turns from true to false counts at once, and is held when it turns back', () => {
    const { ledger, last } = seeing(true, hint(true), hint(false));
    expect([last[0]?.widened, ledger.isHeld('t')]).toEqual([false, false]);
    expect(ledger.observe([hint(true)], 2).changes).toMatchObject([{ widened: true }]);
    expect(ledger.isHeld('t')).toBe(true);
  });

  it('that is accepted counts', () => {
    const { ledger } = seeing(true, hint(false), hint(true));
    expect(ledger.accept(['t'])).toEqual(['t']);
    expect(ledger.isHeld('t')).toBe(false);
    expect(ledger.observe([hint(true)], 3).changes).toEqual([]);
  });

  it('never counts as true before it was accepted, whatever the server declares', () => {
    const step = fc.constantFrom(true, false, undefined, 'gone', 'accept');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const ledger = new ServerLedger(true);
        // A plain model: what a user has agreed to, and what is shown.
        let agreed: boolean | undefined;
        let listed: boolean | undefined;
        steps.forEach((one, at) => {
          if (one === 'gone') ledger.observe([], at);
          else if (one === 'accept') {
            ledger.accept();
            if (ledger.tools.size > 0) agreed = listed === true;
          } else {
            listed = one === undefined ? undefined : one === true;
            ledger.observe([hint(listed)], at);
            agreed = listed === true && (agreed ?? true);
            expect(ledger.isHeld('t')).toBe(listed === true && !agreed);
          }
        });
      }),
      { numRuns: 300 },
    );
  });
});

it('the changes that are shown are 100, newest last, and wider hints are never pushed out by others', () => {
  const ledger = new ServerLedger(false);
  const tools = (description: string) =>
    Array.from({ length: 500 }, (_, index) => tool(`t${index}`, { description }));
  ledger.observe([hint(), ...tools('a')], 0);
  ledger.observe([hint(true), ...tools('a')], 1);
  ledger.observe([hint(true), ...tools('b')], 2);
  const shown = ledger.listChanges();
  expect(shown.slice(0, 2)).toMatchObject([{ tool: 't', hintWidened: true }, { at: 2 }]);
  expect(shown).toHaveLength(100);
  expect(ledger.listChanges()).toBe(shown);
  expect(ledger.accept()).toHaveLength(501);
});

describe('the memory of a server', () => {
  it('forgets the latest names first, so that new names cannot push an old one out', () => {
    const ledger = new ServerLedger(true);
    ledger.observe([hint(false)], 0);
    for (let round = 0; round < 3; round += 1) {
      const names = Array.from({ length: 10_000 }, (_, index) => tool(`n${round}_${index}`));
      ledger.observe(names, 1);
    }
    expect(ledger.tools.size).toBe(20_000);
    expect(ledger.tools.has('t')).toBe(true);
    expect(ledger.observe([hint(true)], 2).changes).toHaveLength(1);
  });

  it('takes no notice of names that cannot be served, and the first of two tools with one name', () => {
    const ledger = new ServerLedger(true);
    const names = ['a'.repeat(128), 'b'.repeat(129), 'c\u202e'];
    ledger.observe([...names.map((name) => tool(name)), hint(false), hint(true)], 0);
    expect([...ledger.tools.keys()].map(({ length }) => length)).toEqual([128, 1]);
    expect(ledger.tools.get('t')?.readOnly).toBe(false);
  });
});

describe('the stored text', () => {
  it('contains everything, for any names', () => {
    const ledger = new ServerLedger(true);
    ledger.observe([tool('__proto__'), tool('a"\n😀'), hint(false)], 0);
    ledger.observe([tool('__proto__', { title: 'x' }), hint(true)], 7);
    const line = formatServerLine('constructor', ledger.tools);
    const parsed = parseLedger(formatLedger([line, formatServerLine('__proto__', [])]));
    expect(parsed?.map(([name]) => name)).toEqual(['constructor', '__proto__']);
    const again = new ServerLedger(true, parsed?.[0]?.[1]);
    expect([...again.tools]).toEqual([...ledger.tools]);
    expect(again.listChanges()).toEqual(ledger.listChanges());
    expect(parseLedger(formatLedger([]))).toEqual([]);
  });

  it.each([
    '',
    'null',
    '[]',
    '{"version":2,"servers":[]}',
    '{"version":1}',
    '{"version":1,"servers":[["s",[["t","short",1]]]]}',
    '{"version":1,"servers":[["s",[["t","....",2]]]]}',
    '{"version":1,"servers":[["s",[["t","....",1,0,"x",1]]]]}',
    '{"version":1,"servers":[["s",[["t","....",1,0,16,1.5]]]]}',
    '{"version":1,"servers":[["s",[["t","....",1]]],["u"]]}',
    formatLedger([formatServerLine('s', [])]).slice(0, -4),
  ])('is refused whole when any of it is not what the gateway writes: %j', (text) =>
    expect(parseLedger(text)).toBeUndefined(),
  );
});

it.each([
  ['{"b":1,"a":{"d":2,"c":[{"f":3,"e":4}]}}', '{"a":{"c":[{"e":4,"f":3}],"d":2},"b":1}'],
  ['{"a":[{"b":1,"a":2}]}', '{"a":[{"a":2,"b":1}]}'],
  ['{"a":1,"__proto__":{"c":1,"b":2}}', '{"__proto__":{"b":2,"c":1},"a":1}'],
  ['[3,"é",null,true,{}]', '[3,"é",null,true,{}]'],
])('canonical JSON: %s is written as %s', (text, canonical) => {
  expect(formatCanonicalJson(JSON.parse(text))).toBe(canonical);
});

/** The value with the members of its objects the other way round. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, turned(member)] as const);
  return Object.fromEntries(members.reverse());
};

it('the order of members does not matter in canonical JSON, and everything else does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = formatCanonicalJson(value);
      expect(formatCanonicalJson(turned(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('canonical JSON visits each allowed level once', () => {
  let value: unknown = { b: 1, a: 2 };
  for (let level = 0; level < 127; level += 1) value = { a: value };
  expect(formatCanonicalJson(value)).toContain('{"a":2,"b":1}');
});
