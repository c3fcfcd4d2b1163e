import type { CatalogWarning, NameOwner } from './catalog-warning.ts';
import type { HeldName } from './name-assignment.ts';
import { otherHolder } from './name-contest.ts';
import type { CatalogPrompt } from './snapshot.ts';

/** The prompts that are served, by exposed name and in catalog order, and those whose name another owner holds. */
export interface PlacedPrompts {
  readonly byName: ReadonlyMap<string, CatalogPrompt>;
  readonly collisions: readonly CatalogWarning[];
}

/** Gives each exposed name to its holder; without one, to the first prompt that has it. */
export function placedPrompts(
  prompts: readonly CatalogPrompt[],
  contested: readonly HeldName[] = [],
): PlacedPrompts {
  const holders = new Map(contested.map(({ name, owner }) => [name, owner]));
  const byName = new Map<string, CatalogPrompt>();
  const collisions: CatalogWarning[] = [];
  const ownerOf = ({ server }: CatalogPrompt): NameOwner => ({ kind: 'server', name: server });
  for (const prompt of prompts) {
    const { name } = prompt;
    const placed = byName.get(name);
    const dropped = ownerOf(prompt);
    const served = placed === undefined ? otherHolder(holders.get(name), dropped) : ownerOf(placed);
    if (served === undefined) byName.set(name, prompt);
    else collisions.push({ code: 'prompt.name-collision', name, served, dropped });
  }
  return { byName, collisions };
}
