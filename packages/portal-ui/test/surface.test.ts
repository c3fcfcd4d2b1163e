import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () => {
  expect(Object.keys(surface).sort()).toEqual([
    ...['ResolvedTools', 'ServerList', 'SignInOffers', 'ToolList', 'ToolMarks', 'ToolName'],
    ...['ToolsStep', 'ToolsetCard', 'ToolsetEditor', 'VirtualRows', 'isWebAddress'],
    ...['narrowNameHeight', 'portalTheme', 'resolvePortalColors', 'useNarrowNames'],
  ]);
});
