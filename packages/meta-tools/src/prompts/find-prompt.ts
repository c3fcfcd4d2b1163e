import type { CatalogPrompt } from '@gateway/catalog';
import { refuse, type Read } from '../arguments/argument.ts';
import type { RequestContext } from '../scope/request-context.ts';

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
  if (scope === undefined) {
    return prompt === undefined
      ? refuse({ code: 'prompt.unknown', name })
      : { ok: true, value: prompt };
  }
  if (prompt !== undefined && scope.selection.hasServer(prompt.server))
    return { ok: true, value: prompt };
  return refuse({ code: 'toolset.outside', kind: 'prompt', name, toolset: scope.toolset.text });
};
