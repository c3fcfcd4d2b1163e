import { expect, it } from 'vitest';
import { under } from './harness.ts';
import { serverOf, snapshotOf } from './native/native-harness.ts';

const PARAGRAPH =
  'Searches the issues of a project by text, label, assignee and state, and returns the best matches with their status, in pages.';

const parameter = { type: 'string', description: PARAGRAPH };
const parameters = Array.from({ length: 12 }, (_, p) => [`p${String(p)}`, parameter] as const);

/** Tools with long names and long descriptions, as large public servers have them. */
const tools = Array.from({ length: 30 }, (_, i) => ({
  name: `search_project_issues_by_label_and_state_${String(i)}`,
  description: `${PARAGRAPH} ${PARAGRAPH}\n\n${PARAGRAPH.repeat(10)}`,
  inputSchema: { type: 'object', properties: Object.fromEntries(parameters) },
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
}));

const servers = Array.from({ length: 10 }, (_, i) =>
  serverOf(`issue-tracker-${String(i)}`, [], { tools }),
);
const snapshot = snapshotOf(...servers);

it.each([
  [{}, true],
  [{ query: 'search issues' }, true],
  [{ pattern: 'x_issue*' }, true],
  [{ include_schema: true }, false],
])(
  'the default page of filter_tools stays under 4 KB unless it has schemas: %j',
  async (args, isSmall) => {
    const { result } = under(undefined, { snapshotOf: () => snapshot });
    const bytes = Buffer.byteLength(JSON.stringify(await result('filter_tools', args)));
    expect(bytes < 4096).toBe(isSmall);
  },
);
