import type { CatalogPrompt } from '@gateway/catalog';
import { refuse, type Read } from '../arguments/argument.ts';
import type { RequestContext } from '../scope/request-context.ts';
import { insideToolset } from '../scope/server-membership.ts';

/**
 * Returns the prompt that a caller names. Under a toolset, a prompt that is not inside is refused as outside, known or not.
 *
 * @spec §4.2, §7.2
 */
export const findPrompt = (
  name: string,
  { snapshot, scope }: RequestContext,
): Read<CatalogPrompt> => {
  const prompt = snapshot.prompt(name);
  const [visible] = insideToolset(prompt === undefined ? [] : [prompt], { scope });
  if (visible !== undefined) return { ok: true, value: visible };
  return scope === undefined
    ? refuse({ code: 'prompt.unknown', name })
    : refuse({ code: 'toolset.outside', kind: 'prompt', name, toolset: scope.toolset.text });
};
