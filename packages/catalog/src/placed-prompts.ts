import type { CatalogWarning } from './catalog-warning.ts';
import type { CatalogPrompt } from './snapshot.ts';

/** The prompts that are served, by exposed name and in catalog order, and those whose name was taken. */
export interface PlacedPrompts {
  readonly byName: ReadonlyMap<string, CatalogPrompt>;
  readonly collisions: readonly CatalogWarning[];
}

/** Gives each exposed name to the first prompt that has it. */
export function placedPrompts(prompts: readonly CatalogPrompt[]): PlacedPrompts {
  const byName = new Map<string, CatalogPrompt>();
  const collisions: CatalogWarning[] = [];
  for (const prompt of prompts) {
    const holder = byName.get(prompt.name);
    if (holder === undefined) byName.set(prompt.name, prompt);
    else {
      collisions.push({
        code: 'prompt.name-collision',
        name: prompt.name,
        served: { kind: 'server', name: holder.server },
        dropped: { kind: 'server', name: prompt.server },
      });
    }
  }
  return { byName, collisions };
}
