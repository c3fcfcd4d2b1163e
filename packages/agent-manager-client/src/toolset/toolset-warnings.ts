import { parseSelector } from '@gateway/toolset-grammar';
import { formatShown } from '../refusals/shown.ts';

/** The presets of the gateway and of the platform. @spec §2.3, §4.4 */
const SHIPPED_PRESETS = ['read-only', 'none', 'infrastructure', 'agent-platform', 'full'];

const warningOf = (selector: string): string | undefined => {
  const parsed = parseSelector(selector);
  if (!parsed.ok) return undefined;
  const { kind, name } = parsed.selector;
  if (kind === 'preset' && !SHIPPED_PRESETS.includes(name))
    return `toolset selector ${formatShown(selector)} names no shipped preset (${SHIPPED_PRESETS.join(', ')}): the gateway refuses every request of the agent unless its toolsetPresets define it`;
  if (kind === 'server')
    return `toolset selector ${formatShown(selector)} was not looked up: it selects nothing unless the gateway has this server`;
  return undefined;
};

/**
 * Returns a warning for each selector of a valid toolset whose preset or server is unknown here. The list is accepted as given: only the
 * gateway resolves it, per caller.
 *
 * @spec §4.4
 */
export const toolsetWarnings = (toolset: readonly string[] = []): readonly string[] => [
  ...new Set(toolset.flatMap((selector) => warningOf(selector) ?? [])),
];
