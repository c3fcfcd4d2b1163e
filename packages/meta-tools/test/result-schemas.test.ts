import { expect, it } from 'vitest';
import * as z from 'zod';
import { resultSchemas } from '../src/create-meta-tools.ts';
import type { MetaToolName } from '../src/contract/meta-tool.ts';
import {
  toAnswer,
  GOOD_ARGUMENTS,
  META_TOOL_NAMES,
  resultOf,
  harnessOf,
  type Asked,
} from './harness.ts';

const validatorOf = (name: MetaToolName): z.ZodType => z.fromJSONSchema(resultSchemas[name]);

const CONTENTS = [
  { uri: 'a://b', mimeType: 'text/plain', text: 'a' },
  { uri: 'a://b', blob: 'aGk=' },
];
const MESSAGES = [{ role: 'user', content: { type: 'text', text: 'a' } }];

const outcomeOf = (name: MetaToolName): object => {
  if (name === 'get_resource') return { contents: CONTENTS };
  if (name === 'get_prompt') return { messages: MESSAGES };
  return { content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 }, other: 1 };
};

const answerFilter = async (
  name: MetaToolName,
  args: unknown,
  more: Asked = {},
): Promise<unknown> => {
  const harness = harnessOf({
    outcome: { ok: true, result: { ...outcomeOf(name) } },
    signedOut: ['mail'],
  });
  const asked = { harness, ...more };
  return name === 'call_tool' ? resultOf(name, args, asked) : toAnswer(name, args, asked);
};

const MORE: readonly (readonly [MetaToolName, unknown])[] = [
  ['list_tools', { limit: 2, summary: true }],
  ['list_tools', { limit: 100 }],
  ['filter_tools', { limit: 100, include_schema: true, query: 'file pods deploy list' }],
  [
    'filter_tools',
    {
      toolset: ['preset:full', 'tool:nothing'],
      labels: { a: 'b' },
      pattern: '*',
      limit: 9,
      offset: 1,
    },
  ],
  ['describe_tool', { name: 'workflow_deploy' }],
  ['describe_tool', { name: 'core_service_list' }],
  ['describe_tool', { name: 'x_wiki_edit' }],
  ['list_core_tools', { include_schema: true }],
  ['filter_resources', { limit: 100, server: 'files', pattern: '*' }],
  ['describe_resource', { uri: 'file:///logs/today' }],
  ['describe_prompt', { name: 'x_wiki_summary' }],
];

it('publishes a schema for each of the 13', () => {
  expect(Object.keys(resultSchemas)).toEqual(META_TOOL_NAMES);
});

it.each([...META_TOOL_NAMES.map((name) => [name, GOOD_ARGUMENTS[name]] as const), ...MORE])(
  '%s %j answers by its schema, with and without a toolset',
  async (name, args) => {
    const schema = validatorOf(name);
    expect(schema.safeParse(await answerFilter(name, args))).toMatchObject({ success: true });
    const scoped = await answerFilter(name, args, { header: 'preset:full' });
    expect(schema.safeParse(scoped)).toMatchObject({ success: true });
  },
);

it('distinguishes answers of another shape', () => {
  expect(validatorOf('list_tools').safeParse({ tools: [{ name: 'a' }] }).success).toBe(false);
  expect(
    validatorOf('list_tools').safeParse({ tools: [{ name: 'a', kind: 'tool', surplus: 1 }] })
      .success,
  ).toBe(false);
  expect(validatorOf('filter_tools').safeParse({ tools: [] }).success).toBe(false);
});
