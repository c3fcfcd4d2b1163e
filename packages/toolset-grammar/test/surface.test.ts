import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () =>
  expect(Object.keys(surface).sort()).toEqual([
    'BUILT_IN_PRESETS',
    'MAX_INLINE_SELECTORS',
    'TOOLSET_HEADER',
    'TOOLSET_HEADER_KEY',
    'formatError',
    'formatToolset',
    'parseSelector',
    'parseToolset',
    'parseToolsetHeader',
    'quoteText',
  ]));

it('says exactly this', () => {
  const toolset = ['a', 'b'];
  const selector = 'b';
  expect([
    surface.formatError({ code: 'toolset.empty' }),
    surface.formatError({ code: 'toolset.too-many', toolset }),
    surface.formatError({ code: 'toolset.reserved', toolset, selector }),
    surface.formatError({ code: 'toolset.label', toolset, selector }),
    surface.formatError({ code: 'toolset.malformed', toolset, selector }),
  ]).toEqual([
    'toolset [] is empty; use "preset:none" for an agent without tools',
    'toolset [a,b] has 2 selectors, more than the 32 allowed inline; define a preset',
    'toolset [a,b] selector "b" is reserved for shared toolsets',
    'toolset [a,b] selector "b" is allowed inside presets only',
    'toolset [a,b] selector "b" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
  ]);
});
