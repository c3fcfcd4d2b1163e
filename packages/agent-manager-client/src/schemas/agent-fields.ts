import { MAX_INLINE_SELECTORS } from '@gateway/toolset-grammar';
import * as z from 'zod';
import { MAX_NAME_CHARS } from '../limits.ts';
import { NAME_PATTERN } from '../names/validate-names.ts';

/** Returns the schema of an optional text with a description. */
export const createStringField = (description: string) =>
  z.string().optional().meta({ description });

/** Returns the schema of an optional map of texts. */
const createTextMapField = (description: string) =>
  z.record(z.string(), z.string()).optional().meta({ description });

/** Name of an existing agent. */
export const agentName = z.string().meta({ description: 'Name of the agent.' });

/** Name of a new agent. */
export const newAgentName = z
  .string()
  .max(MAX_NAME_CHARS)
  .regex(NAME_PATTERN)
  .meta({ description: 'Name of the agent, a DNS-1123 label.' });

/** Namespace of an agent. */
export const namespaceField = createStringField(
  'Namespace of the agent. Left out: the default one; see get_info.',
);

/**
 * Returns the schema of the selectors that an agent declares. `validateToolset` validates a list.
 *
 * @param opening start of the description: the effect of the operation on the list
 * @spec §4.4
 */
export const createToolsetField = (opening: string) =>
  z
    .array(z.string())
    .min(1)
    .max(MAX_INLINE_SELECTORS)
    .meta({
      description: `${opening} What the agent can use of all that is behind the gateway, written to the chart’s value toolset as given: preset:<name>, server:<name>, workflow:<name> or tool:<name>, at most ${MAX_INLINE_SELECTORS}; define a preset for more. Shipped presets: preset:read-only, preset:none (a chat-only agent without tools), preset:infrastructure, preset:agent-platform, preset:full (every tool). The former toolNames is gone: it never narrowed anything against the gateway.`,
      examples: [['preset:read-only']],
    });

const gitRef = z.strictObject({
  url: z.string().meta({ description: 'Address of the Git repository.' }),
  path: createStringField('Folder of the skill in it. Left out: the whole repository.'),
  ref: createStringField('Branch, tag or commit. Left out: the chart’s own default.'),
  name: createStringField(
    'Name of the skill. Left out: the last segment of `path`, else the name of the repository.',
  ),
});

/** Skills that the agent loads. */
const skillsField = z
  .strictObject({
    refs: z.array(z.string()).optional().meta({ description: 'Images with skills.' }),
    gitRefs: z.array(gitRef).optional().meta({ description: 'Git repositories that hold skills.' }),
    gitAuthSecretName: createStringField('Secret for the Git repositories.'),
  })
  .optional()
  .meta({ description: 'Skills that the agent loads. A list replaces the previous list.' });

/** The fields of an agent without its name, namespace and toolset. */
export const agentFields = {
  displayName: createStringField('Display name for users.'),
  description: createStringField('Purpose of the agent.'),
  systemMessage: createStringField('The agent’s system message.'),
  modelConfig: createStringField(
    'Name of a ModelConfig in the agent’s namespace; see list_model_configs.',
  ),
  iconUrl: createStringField('Address of the agent’s icon.'),
  runtime: z
    .string()
    .optional()
    .meta({ description: 'Runtime that runs the agent: `go` or `python`.', examples: ['go'] }),
  skills: skillsField,
  labels: createTextMapField('Further labels of the Agent. Replace the previous labels.'),
  annotations: createTextMapField(
    'Further annotations of the Agent. Replace the previous annotations.',
  ),
};
