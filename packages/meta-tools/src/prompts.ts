import { isInputRequired } from '@gateway/mcp-wire';
import type { JsonObject } from '@gateway/call-contract';
import type { CatalogPrompt } from '@gateway/catalog';
import {
  type MetaToolContext,
  listToolsetItems,
  type Read,
  refuse,
} from './scope/toolset-scope.ts';
import {
  NOTHING_MORE,
  READS_CATALOG,
  READS_SERVER,
  defineMetaTool,
  type MetaTool,
  createTextArgument,
  createTextMapArgument,
} from './define-meta-tool.ts';
import {
  createJsonResult,
  createMemberResult,
  createRefusalResult,
  type Refusal,
} from './contract/result.ts';
import {
  createListResult,
  filterResultSchema,
  filterServed,
  listArguments,
  servedFilterArguments,
  createWholeOrPageSchema,
} from './pages.ts';

/** A prompt as lists show it. */
const createPromptEntry = ({ name, description, server }: CatalogPrompt): JsonObject => ({
  name,
  ...(description !== undefined && { description }),
  server,
});

const entryProperties: JsonObject = {
  name: { type: 'string' },
  description: { type: 'string' },
  server: { type: 'string' },
};

/** JSON Schema of a prompt as lists show it. */
const promptEntrySchema: JsonObject = {
  type: 'object',
  properties: entryProperties,
  required: ['name', 'server'],
  additionalProperties: false,
};

/** JSON Schema of a prompt with its arguments. */
const promptDetailSchema: JsonObject = {
  type: 'object',
  properties: {
    ...entryProperties,
    arguments: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          description: { type: 'string' },
          required: { type: 'boolean' },
        },
        required: ['name'],
      },
    },
  },
  required: ['name', 'server'],
  additionalProperties: false,
};

/**
 * Returns the prompt that a caller names. Under a toolset, a prompt that is not inside is refused as outside, known or not.
 *
 * @spec §4.2, §7.2
 */
const findPrompt = (name: string, { snapshot, scope }: MetaToolContext): Read<CatalogPrompt> => {
  const prompt = snapshot.prompt(name);
  const [visible] = listToolsetItems(prompt === undefined ? [] : [prompt], { scope });
  if (visible !== undefined) return { ok: true, value: visible };
  return scope === undefined
    ? refuse({ code: 'prompt.unknown', name })
    : refuse({ code: 'toolset.outside', kind: 'prompt', name, toolset: scope.toolset.text });
};

/** Lists every prompt of the servers inside the toolset. @spec §1.1, §4.2 */
const listPrompts = defineMetaTool({
  name: 'list_prompts',
  description: 'List prompts a page at a time. To find one, use filter_prompts.',
  annotations: READS_CATALOG,
  arguments: listArguments,
  resultSchema: createWholeOrPageSchema('prompts', promptEntrySchema),
  dependsOn: () => NOTHING_MORE,
  answer: (page, context) =>
    createListResult(
      {
        list: 'prompts',
        all: listToolsetItems(context.snapshot.prompts, context),
        entryOf: createPromptEntry,
        isArray: true,
      },
      page,
      context,
    ),
});

const readPromptName = ({ name }: CatalogPrompt): string => name;

/** Filters prompts by exposed name and server, a page at a time. @spec §1.1, §4.2 */
const filterPrompts = defineMetaTool({
  name: 'filter_prompts',
  description: 'Find prompts by name or server. Then describe_prompt.',
  annotations: READS_CATALOG,
  arguments: servedFilterArguments,
  resultSchema: filterResultSchema('prompts', { server: { type: 'string' } }, promptEntrySchema),
  dependsOn: () => NOTHING_MORE,
  answer: (args, context) => {
    const all = context.snapshot.prompts;
    const kind = {
      list: 'prompts',
      all,
      addressOf: readPromptName,
      entryOf: createPromptEntry,
    } as const;
    return filterServed(kind, args, context);
  },
});

/** Shows one prompt with its arguments. @spec §1.1, §4.2 */
const describePrompt = defineMetaTool({
  name: 'describe_prompt',
  description: 'Show the arguments of a prompt, for get_prompt.',
  annotations: READS_CATALOG,
  arguments: { name: createTextArgument() },
  resultSchema: promptDetailSchema,
  dependsOn: () => NOTHING_MORE,
  answer: ({ name }, context) => {
    const found = findPrompt(name, context);
    if (!found.ok) return createRefusalResult(found.refusal, context.ports);
    const prompt = found.value;
    return createJsonResult({
      ...createPromptEntry(prompt),
      ...(prompt.arguments !== undefined && { arguments: prompt.arguments }),
    });
  },
});

const getRefusal = (refusal: Refusal): Refusal =>
  refusal.code === 'prompt.unknown'
    ? { code: 'prompt.failed', reason: `prompt not found: ${refusal.name}` }
    : refusal;

/** Gets a prompt from its server; the answer is the server's `messages`, content of every kind. @spec §1.1, §4.2 */
const getPrompt = defineMetaTool({
  name: 'get_prompt',
  description: 'Get the messages of a prompt.',
  annotations: READS_SERVER,
  arguments: {
    name: createTextArgument(),
    arguments: createTextMapArgument('By name'),
  },
  resultSchema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        role: { type: 'string' },
        content: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
      },
      required: ['role', 'content'],
    },
  },
  refuse: ({ name }, context) => {
    const found = findPrompt(name, context);
    return found.ok ? undefined : getRefusal(found.refusal);
  },
  answer: async (args, context) => {
    const found = findPrompt(args.name, context);
    if (!found.ok) return createRefusalResult(getRefusal(found.refusal), context.ports);
    const { server, serverPrompt } = found.value;
    const outcome = await context.ports.getPrompt(
      { server, prompt: serverPrompt, arguments: args.arguments },
      context.call,
    );
    if (!outcome.ok)
      return createRefusalResult({ code: 'prompt.failed', reason: outcome.text }, context.ports);
    return isInputRequired(outcome.result)
      ? outcome.result
      : createMemberResult(outcome.result, 'messages');
  },
});

/** The meta-tools about prompts, in the order of the spec. @spec §1.1 */
export const PROMPT_TOOLS: readonly MetaTool[] = [
  listPrompts,
  filterPrompts,
  describePrompt,
  getPrompt,
];
