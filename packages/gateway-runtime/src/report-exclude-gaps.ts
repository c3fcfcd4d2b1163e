import type { CatalogSnapshot } from '@gateway/catalog';
import { excludeGaps, excludeGapText, type PresetSet } from '@gateway/preset-resolver';

/** Maximum number of remembered names; beyond it the oldest can be reported again. */
const MAX_REMEMBERED = 10_000;

/**
 * Returns a function that warns of tools that a pattern in `exclude` does not exclude because `*` stops at `/`: once for each preset,
 * pattern and name, at the start and after later changes of the catalog or the presets. @spec §2.2
 */
export function excludeGapReporter(
  warn: (text: string) => void,
): (presets: PresetSet, catalog: CatalogSnapshot) => void {
  const known = new Set<string>();
  return (presets, catalog) => {
    for (const gap of excludeGaps(presets, catalog)) {
      const fresh = gap.names.filter((name) => {
        const identity = JSON.stringify([gap.preset, gap.pattern, name]);
        if (known.has(identity)) return false;
        known.add(identity);
        return true;
      });
      if (fresh.length > 0) warn(excludeGapText({ ...gap, names: fresh }));
    }
    for (const identity of known) {
      if (known.size <= MAX_REMEMBERED) break;
      known.delete(identity);
    }
  };
}
