import { requiredText } from '../arguments/argument-kinds.ts';
import { defineMetaTool, NOTHING_MORE, READS_CATALOG } from '../definition/define-meta-tool.ts';
import { jsonResult, refusalResult } from '../contract/result.ts';
import { findPrompt } from './find-prompt.ts';
import { promptDetailSchema, promptEntry } from './prompt-entry.ts';

/** Shows one prompt with its arguments. @spec §1.1, §4.2 */
export const describePrompt = defineMetaTool({
  name: 'describe_prompt',
  description: 'Show one prompt with its arguments. Use before get_prompt.',
  annotations: READS_CATALOG,
  arguments: { name: requiredText('Name of the prompt') },
  resultSchema: promptDetailSchema,
  dependsOn: () => NOTHING_MORE,
  answer: ({ name }, context) => {
    const found = findPrompt(name, context);
    if (!found.ok) return refusalResult(found.refusal, context.ports);
    const prompt = found.value;
    return jsonResult({
      ...promptEntry(prompt),
      ...(prompt.arguments !== undefined && { arguments: prompt.arguments }),
    });
  },
});
