import { MAX_INLINE_SELECTORS } from '@gateway/toolset-grammar';
import * as z from 'zod';

/**
 * The schema of selectors that an agent declares, described for models. `toolsetProblem` validates a list.
 *
 * @param opening start of the description: the effect of the operation on the list
 * @spec §4.4
 */
export const toolsetField = (opening: string) =>
  z
    .array(z.string())
    .min(1)
    .max(MAX_INLINE_SELECTORS)
    .meta({
      description: `${opening} What the agent can use of all that is behind the gateway, written to the chart’s value toolset as given: preset:<name>, server:<name>, workflow:<name> or tool:<name>, at most ${MAX_INLINE_SELECTORS}; define a preset for more. Shipped presets: preset:read-only, preset:none (a chat-only agent without tools), preset:infrastructure, preset:agent-platform, preset:full (every tool). The former toolNames is gone: it never narrowed anything against the gateway.`,
      examples: [['preset:read-only']],
    });
