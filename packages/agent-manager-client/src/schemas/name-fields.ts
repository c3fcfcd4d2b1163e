import * as z from 'zod';
import { MAX_NAME_CHARS } from '../limits.ts';
import { NAME_PATTERN } from '../names/name-problem.ts';
import { text } from './texts.ts';

/** Name of an agent that there is. */
export const agentName = z.string().meta({ description: 'Name of the agent.' });

/** Name of an agent to be. */
export const newAgentName = z
  .string()
  .max(MAX_NAME_CHARS)
  .regex(NAME_PATTERN)
  .meta({ description: 'Name of the agent, a DNS-1123 label.' });

/** In which namespace. */
export const namespaceField = text(
  'Namespace of the agent. Left out: the default one; see get_info.',
);
