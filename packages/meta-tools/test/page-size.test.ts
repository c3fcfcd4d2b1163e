import { buildCatalog, type ServerInventory } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { resultOf, harnessOf } from './harness.ts';

const PARAGRAPH =
  'Searches the issues of a project by text, label, assignee and state, and returns the best matches with their status, in pages.';

/** A server with long names and long descriptions, as large public servers have them. */
const server = (name: string): ServerInventory => ({
  name,
  labels: {},
  tools: Array.from({ length: 30 }, (_, i) => ({
    name: `search_project_issues_by_label_and_state_${String(i)}`,
    description: `${PARAGRAPH} ${PARAGRAPH}\n\n${PARAGRAPH.repeat(10)}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 12 }, (_, p) => [
          `p${String(p)}`,
          { type: 'string', description: PARAGRAPH },
        ]),
      ),
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
  })),
  resources: [],
  resourceTemplates: [],
  prompts: [],
});

const snapshot = buildCatalog({
  servers: Array.from({ length: 10 }, (_, i) => server(`issue-tracker-${String(i)}`)),
  workflows: [],
  coreTools: [],
});

const bytesOf = async (args: object): Promise<number> => {
  const result = await resultOf('filter_tools', args, {
    harness: harnessOf({ snapshotOf: () => snapshot }),
  });
  return Buffer.byteLength(JSON.stringify(result));
};

describe('the default page of filter_tools', () => {
  it('stays under 4 KB, ranked or not, for 300 tools with long names and texts', async () => {
    expect(await bytesOf({})).toBeLessThan(4096);
    expect(await bytesOf({ query: 'search issues' })).toBeLessThan(4096);
    expect(await bytesOf({ pattern: 'x_issue*' })).toBeLessThan(4096);
  });

  it('is larger only with schemas, which are asked for', async () => {
    expect(await bytesOf({ include_schema: true })).toBeGreaterThan(4096);
  });
});
