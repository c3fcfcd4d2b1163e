import * as surface from '@gateway/agent-releases';
import { expect, it } from 'vitest';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'agentChart',
    'agentListJson',
    'createAgentService',
  ]);
});
