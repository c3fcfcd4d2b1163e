import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_TOOLS, presetsOf, resolve, selected } from './example-catalog.ts';
import { parsePresets, formatError } from '../src/index.ts';

const config = {
  docs: { include: [{ label: 'team=docs' }] },
  reading: { include: [{ readOnly: true }], exclude: [{ pattern: 'core_*' }] },
  mixed: { include: [{ preset: 'docs' }, { preset: 'reading' }, { workflow: 'deploy' }] },
};
const presets = presetsOf(config);
const selector = fc.constantFrom(
  'preset:docs',
  'preset:reading',
  'preset:mixed',
  'preset:full',
  'preset:none',
  'preset:read-only',
  'server:git',
  'server:k8s',
  'server:k8s-eu',
  'server:gone',
  'workflow:deploy',
  'tool:core_config_get',
  'tool:gone',
);
const toolset = fc.array(selector, { minLength: 1, maxLength: 8 });
const ask = (items: readonly string[]) => selected(items, { presets });

describe('for every toolset', () => {
  it('selects the union of what each selector selects, in catalog order', () =>
    fc.assert(
      fc.property(toolset, (items) => {
        const union = new Set(items.flatMap((item) => ask([item])));
        expect(ask(items)).toEqual(ALL_TOOLS.filter((name) => union.has(name)));
      }),
    ));
  it('selects the same in any order', () =>
    fc.assert(
      fc.property(toolset, (items) => {
        expect(ask(items.toReversed())).toEqual(ask(items));
      }),
    ));
  it('selects inside a header exactly what both select', () =>
    fc.assert(
      fc.property(toolset, toolset, (header, argument) => {
        const outer = resolve(header, { presets });
        if (!outer.ok) throw new Error('the header resolves');
        const both = new Set(ask(header));
        expect(selected(argument, { presets, within: outer.value.selection })).toEqual(
          (ask(argument) as readonly string[]).filter((name) => both.has(name)),
        );
      }),
    ));
  it('reports as unmatched exactly the selectors that select nothing', () =>
    fc.assert(
      fc.property(toolset, (items) => {
        const resolved = resolve(items, { presets });
        const empty = items.filter((item) => item !== 'preset:none' && ask([item]).length === 0);
        expect(resolved).toMatchObject({ ok: true, value: { unmatched: empty } });
      }),
    ));
});

describe('for every configuration', () => {
  it('parsing gives presets or refusals of one line each', () =>
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4, withBigInt: true }), (value) => {
        const parsed = parsePresets(value, { gatewayVersion: '5.13.0' });
        const texts = parsed.ok ? [] : parsed.error.map(formatError);
        for (const text of texts) expect(text).toMatch(/^toolsetPresets: .+$/);
      }),
      { numRuns: 500 },
    ));
  it('parsing takes any preset of rules that are right', () =>
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/).map((name) => `x${name}`),
          fc.record({
            include: fc.array(
              fc.oneof(
                fc.record({ tool: fc.string({ minLength: 1 }) }),
                fc.record({ server: fc.string({ minLength: 1 }) }),
                fc.constant({ readOnly: true }),
                fc.constant({ preset: 'read-only' }),
                fc.constant({ label: 'a=b' }),
              ),
            ),
          }),
        ),
        (value) => {
          expect(parsePresets(value, { gatewayVersion: '5.12.0' }).ok).toBe(true);
        },
      ),
    ));
});
