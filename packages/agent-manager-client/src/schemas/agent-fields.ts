import * as z from 'zod';
import { text, textMap } from './texts.ts';

const gitRef = z.strictObject({
  url: z.string().meta({ description: 'Address of the Git repository.' }),
  path: text('Folder of the skill in it. Left out: the whole repository.'),
  ref: text('Branch, tag or commit. Left out: the chart’s own default.'),
  name: text(
    'Name of the skill. Left out: the last segment of `path`, else the name of the repository.',
  ),
});

/** Skills that the agent loads. */
const skillsField = z
  .strictObject({
    refs: z.array(z.string()).optional().meta({ description: 'Images with skills.' }),
    gitRefs: z.array(gitRef).optional().meta({ description: 'Git repositories that hold skills.' }),
    gitAuthSecretName: text('Secret for the Git repositories.'),
  })
  .optional()
  .meta({ description: 'Skills that the agent loads. A list replaces the one before.' });

/** The fields of an agent without its name, namespace and toolset. */
export const agentFields = {
  displayName: text('Name for people.'),
  description: text('Purpose of the agent.'),
  systemMessage: text('The agent’s system message.'),
  modelConfig: text('Name of a ModelConfig in the agent’s namespace; see list_model_configs.'),
  iconUrl: text('Address of the agent’s icon.'),
  runtime: z
    .string()
    .optional()
    .meta({ description: 'Runtime that runs the agent: `go` or `python`.', examples: ['go'] }),
  skills: skillsField,
  labels: textMap('Further labels of the Agent. Replace those before.'),
  annotations: textMap('Further annotations of the Agent. Replace those before.'),
};
