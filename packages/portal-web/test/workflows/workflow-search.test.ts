import { describe, expect, it } from 'vitest';
import {
  readRunSearch,
  readRunsSearch,
  readWorkflowSearch,
  readWorkflowsSearch,
} from '../../src/addresses/searches.ts';

describe('the state in an address', () => {
  it('of the list of workflows', () => {
    expect(readWorkflowsSearch({ query: 12, state: 'missing', page: 3 })).toEqual({
      query: '12',
      state: 'missing',
      page: 3,
    });
    expect(readWorkflowsSearch({ query: '', state: 'gone', page: 1, other: 1 })).toEqual({});
  });

  it('of a workflow', () => {
    const known = { tab: 'runs', view: 'list', step: '__proto__', status: 'failed', page: 2 };
    expect(readWorkflowSearch(known)).toEqual(known);
    const unknown = { tab: 'steps', view: 3, step: [], status: 'x', page: 2.5 };
    expect(readWorkflowSearch(unknown)).toEqual({});
  });

  it('of runs', () => {
    const known = { workflow: 'constructor', status: 'inprogress', page: 2 };
    expect(readRunsSearch(known)).toEqual(known);
    expect(readRunsSearch({ workflow: null, page: -1 })).toEqual({});
    expect(readRunSearch({ step: 0 })).toEqual({ step: 0 });
    expect(readRunSearch({ step: '0' })).toEqual({});
  });
});
