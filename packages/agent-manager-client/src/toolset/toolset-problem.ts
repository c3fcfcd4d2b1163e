import {
  BUILT_IN_PRESETS,
  MAX_INLINE_SELECTORS,
  parseSelector,
  type SelectorError,
} from '@gateway/toolset-grammar';
import { formatQuotedName } from '../refusals/refusal.ts';

const TOOL_NAMES_REMOVED =
  'toolNames never narrowed anything against the gateway (the runtime filters the gateway\'s meta-tools only); declare a toolset instead, e.g. toolset: ["preset:read-only"]';

/**
 * Returns why the former argument `toolNames` is refused, or `undefined` when it is absent. `null` counts as absent, an empty list does not.
 *
 * @spec §7.5
 */
export const validateToolNames = (toolNames: unknown): string | undefined =>
  toolNames === undefined || toolNames === null ? undefined : TOOL_NAMES_REMOVED;

const REQUIRED =
  'toolset is required: declare which of the gateway\'s tools the agent can use, e.g. toolset: ["preset:read-only"]. Shipped presets: preset:read-only, preset:none, preset:infrastructure, preset:agent-platform, preset:full — preset:none for a chat-only agent without tools, preset:full for the deliberate choice of every tool the gateway exposes';

const EMPTY =
  'toolset is empty; use ["preset:none"] for an agent without tools (an empty list is refused so that "no tools" is never confused with implicit full access)';

const REASONS: Readonly<Record<SelectorError['code'], string>> = {
  'toolset.reserved':
    ': the toolset: prefix is reserved for shared toolsets; reference a preset as preset:<name>',
  'toolset.label':
    ': label: selectors are allowed inside presets only; use a preset that selects by label (preset:infrastructure, preset:agent-platform)',
  'toolset.malformed':
    ' is not preset:<name>, server:<name>, workflow:<name> or tool:<name> (exact names, no whitespace or commas)',
};

/** Returns the error code of an invalid selector. Surrounding blanks are invalid here, unlike in a header. */
const findSelectorErrorCode = (selector: string): SelectorError['code'] | undefined => {
  const parsed = parseSelector(selector);
  const text = parsed.ok ? parsed.value.text : parsed.error.selector;
  if (text !== selector) return 'toolset.malformed';
  return parsed.ok ? undefined : parsed.error.code;
};

const findSelectorProblem = (selector: string): string | undefined => {
  const code = findSelectorErrorCode(selector);
  return code === undefined
    ? undefined
    : `toolset selector ${formatQuotedName(selector)}${REASONS[code]}`;
};

/**
 * Returns why a toolset is refused, or `undefined`. Checks in this order: absent where required, no selectors, more
 * than {@link MAX_INLINE_SELECTORS} selectors, the first text that is not an inline selector. Presets are not resolved: the gateway resolves them per caller.
 *
 * @param toolset the list as given; it is not trimmed
 * @spec §4.4, §7.5
 */
export const validateToolset = (
  toolset: readonly string[] | undefined,
  { isRequired }: { readonly isRequired: boolean },
): string | undefined => {
  if (toolset === undefined) return isRequired ? REQUIRED : undefined;
  if (toolset.length === 0) return EMPTY;
  if (toolset.length > MAX_INLINE_SELECTORS)
    return `toolset has ${toolset.length} selectors, more than the inline cap of ${MAX_INLINE_SELECTORS}: define a preset (gateway toolsetPresets) and reference it as preset:<name>`;
  for (const selector of toolset) {
    const problem = findSelectorProblem(selector);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const [READ_ONLY, NONE, FULL] = BUILT_IN_PRESETS;

/** The presets of the gateway and of the platform, in the order in which they are offered. @spec §2.3, §4.4 */
export const SHIPPED_PRESETS: readonly string[] = [
  READ_ONLY,
  NONE,
  'infrastructure',
  'agent-platform',
  FULL,
];

const findSelectorWarning = (selector: string): string | undefined => {
  const parsed = parseSelector(selector);
  if (!parsed.ok) return undefined;
  const { kind, name } = parsed.value;
  if (kind === 'preset' && !SHIPPED_PRESETS.includes(name))
    return `toolset selector ${formatQuotedName(selector)} names no shipped preset (${SHIPPED_PRESETS.join(', ')}): the gateway refuses every request of the agent unless its toolsetPresets define it`;
  if (kind === 'server')
    return `toolset selector ${formatQuotedName(selector)} was not looked up: it selects nothing unless the gateway has this server`;
  return undefined;
};

/**
 * Returns a warning for each selector of a valid toolset whose preset or server is unknown here. The list is accepted as given: only the
 * gateway resolves it, per caller.
 *
 * @spec §4.4
 */
export const listToolsetWarnings = (toolset: readonly string[] = []): readonly string[] => [
  ...new Set(toolset.flatMap((selector) => findSelectorWarning(selector) ?? [])),
];
