import type { CatalogWarning } from './catalog-warning.ts';
import type { CatalogSnapshot } from './snapshot.ts';

/** What makes two warnings the same one: a family that gains a member does not warn again. */
function identityOf(warning: CatalogWarning): string {
  switch (warning.code) {
    case 'family.instance-arg-divergence':
      return JSON.stringify([warning.code, warning.family]);
    case 'family.description-divergence':
    case 'family.schema-divergence':
    case 'family.instance-arg-collision':
      return JSON.stringify([warning.code, warning.family, warning.tool]);
    case 'tool.name-collision':
    case 'prompt.name-collision':
      return JSON.stringify([warning.code, warning.name, warning.kept, warning.dropped]);
  }
}

/** The warnings of `next` that `previous` did not have, so that each is logged once and not at every change. */
export function newWarnings(
  previous: CatalogSnapshot | undefined,
  next: CatalogSnapshot,
): readonly CatalogWarning[] {
  const known = new Set(previous?.warnings.map(identityOf));
  return next.warnings.filter((warning) => !known.has(identityOf(warning)));
}
