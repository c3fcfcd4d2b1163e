import { requiredText, textMap } from '../arguments/argument-kinds.ts';
import { defineMetaTool, READS_SERVER } from '../definition/define-meta-tool.ts';
import { asksForInput } from '../definition/input-required.ts';
import type { Refusal } from '../contract/refusal.ts';
import { memberResult, refusalResult } from '../contract/result.ts';
import { findPrompt } from './find-prompt.ts';

const getRefusal = (refusal: Refusal): Refusal =>
  refusal.code === 'prompt.unknown'
    ? { code: 'prompt.failed', reason: `prompt not found: ${refusal.name}` }
    : refusal;

/** Gets a prompt from its server; the answer is the server's `messages`, content of every kind. @spec §1.1, §4.2 */
export const getPrompt = defineMetaTool({
  name: 'get_prompt',
  description: 'Get the messages of a prompt. See describe_prompt for its arguments.',
  annotations: READS_SERVER,
  arguments: {
    name: requiredText('Name of the prompt'),
    arguments: textMap('Arguments of the prompt by name'),
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
    if (!found.ok) return refusalResult(getRefusal(found.refusal), context.ports);
    const { server, serverPrompt } = found.value;
    const outcome = await context.ports.getPrompt(
      { server, prompt: serverPrompt, arguments: args.arguments },
      context.call,
    );
    if (!outcome.ok)
      return refusalResult({ code: 'prompt.failed', reason: outcome.text }, context.ports);
    return asksForInput(outcome.result) ? outcome : memberResult(outcome.result, 'messages');
  },
});
