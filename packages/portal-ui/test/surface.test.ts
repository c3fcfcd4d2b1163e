import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'ResolvedTools',
    'ServerList',
    'SignInOffers',
    'ToolList',
    'ToolMarks',
    'ToolsStep',
    'ToolsetCard',
    'ToolsetEditor',
    'VirtualRows',
    'isWebAddress',
    'portalColors',
    'portalTheme',
  ]);
});
