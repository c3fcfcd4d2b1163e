import { expect, it } from 'vitest';
import {
  readRunSearch,
  readRunsSearch,
  readWorkflowSearch,
  readWorkflowsSearch,
} from '../../src/addresses/searches.ts';

it.each<[string, (search: Record<string, unknown>) => object, object, object]>([
  [
    'the list of workflows',
    readWorkflowsSearch,
    { query: 12, state: 'missing', sort: '-name' },
    { query: '12', state: 'missing', sort: '-name' },
  ],
  [
    'the list of workflows',
    readWorkflowsSearch,
    // A filter in force can be seen, whatever its value is.
    { query: '', state: 'gone', sort: null, other: 1 },
    { state: 'gone' },
  ],
  [
    'a workflow',
    readWorkflowSearch,
    { tab: 'runs', view: 'list', step: '__proto__', status: 'failed', page: 2 },
    { tab: 'runs', view: 'list', step: '__proto__', status: 'failed', page: 2 },
  ],
  [
    'a workflow',
    readWorkflowSearch,
    { tab: 'steps', view: 3, step: [], status: 'x', page: 2.5 },
    {},
  ],
  [
    'runs',
    readRunsSearch,
    { workflow: 'constructor', status: 'inprogress', page: 2 },
    { workflow: 'constructor', status: 'inprogress', page: 2 },
  ],
  ['runs', readRunsSearch, { workflow: null, page: -1 }, {}],
  ['a run', readRunSearch, { step: 0 }, { step: 0 }],
  ['a run', readRunSearch, { step: '0' }, {}],
])('the state in an address of %s: %#', (_page, read, search, state) => {
  expect(read(search as Record<string, unknown>)).toEqual(state);
});
