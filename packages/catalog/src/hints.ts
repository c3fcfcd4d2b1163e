import type { ToolAnnotations } from './annotations.ts';

type Hint = keyof ToolAnnotations;

const HINTS: readonly Hint[] = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
];

/** Builds the hints that are set; without any there are no annotations at all. */
function hintsBy(valueOf: (hint: Hint) => unknown): ToolAnnotations | undefined {
  const hints: Partial<Record<Hint, boolean>> = {};
  let isSet = false;
  for (const hint of HINTS) {
    const value = valueOf(hint);
    if (typeof value !== 'boolean') continue;
    hints[hint] = value;
    isSet = true;
  }
  return isSet ? hints : undefined;
}

/** The four hints of what a server declares, explicit `false` included; absent when it sets none. @spec §2.4 */
export function hintsOf(annotations: ToolAnnotations | undefined): ToolAnnotations | undefined {
  return annotations && hintsBy((hint) => annotations[hint]);
}

/** Returns the hints that all of them set to the same value: a family tool is read-only only when every member is. */
export function agreedHints(
  all: readonly (ToolAnnotations | undefined)[],
): ToolAnnotations | undefined {
  const first = all[0];
  return hintsBy((hint) =>
    all.every((one) => one?.[hint] === first?.[hint]) ? first?.[hint] : undefined,
  );
}
