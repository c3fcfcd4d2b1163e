import { expect, it } from 'vitest';
import * as z from 'zod';
import { resultSchemas } from '../src/create-meta-tools.ts';
import type { MetaToolName } from '../src/contract/meta-tool.ts';
import { GOOD_ARGUMENTS, META_TOOL_NAMES, resulting, under } from './harness.ts';

const isValid = (name: MetaToolName, answer: unknown): boolean =>
  z.fromJSONSchema(resultSchemas[name]).safeParse(answer).success;

const TEXT = { type: 'text', text: 'a' };
const text = { uri: 'a://b', mimeType: 'text/plain', text: 'a' };
const contents = [text, { uri: 'a://b', blob: 'aGk=' }];

const resultOf = (name: MetaToolName) => {
  if (name === 'get_resource') return { contents };
  if (name === 'get_prompt') return { messages: [{ role: 'user', content: TEXT }] };
  return { content: [TEXT], structuredContent: { a: 1 }, other: 1 };
};

const toolset = ['preset:full', 'tool:nothing'];

const MORE: readonly (readonly [MetaToolName, unknown])[] = [
  ['list_tools', { limit: 2, summary: true }],
  ['list_tools', { limit: 100 }],
  ['list_resources', { limit: 2 }],
  ['list_prompts', { offset: 1 }],
  ['filter_tools', { limit: 100, include_schema: true, query: 'file pods deploy list' }],
  ['filter_tools', { toolset, labels: { a: 'b' }, pattern: '*', limit: 9, offset: 1 }],
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
    for (const header of [undefined, 'preset:full']) {
      const parts = { ...resulting(resultOf(name)), signedOut: ['mail'] };
      const { answer, result } = under(header, parts);
      const answered = name === 'call_tool' ? result(name, args) : answer(name, args);
      expect(isValid(name, await answered)).toBe(true);
    }
  },
);

it.each([
  ['list_tools', { tools: [{ name: 'a' }], total: 1, truncated: false }],
  ['list_tools', { tools: [{ name: 'a', kind: 'tool', surplus: 1 }], total: 1, truncated: false }],
  ['list_tools', { tools: [] }],
  ['list_prompts', { prompts: [] }],
  ['filter_tools', { tools: [] }],
] as const)('the schema of %s refuses %j', (name, answer) => {
  expect(isValid(name, answer)).toBe(false);
});
