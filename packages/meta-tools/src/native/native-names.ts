/**
 * Prefixes of the gateway's own names. A name of a server that starts with one is never shown bare: it could collide with a name
 * that another server, a workflow or the gateway has now or later.
 *
 * @spec §1.4
 */
const RESERVED_PREFIXES = ['x_', 'workflow_', 'core_'] as const;

const isReserved = (name: string): boolean =>
  RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

/**
 * Returns the name under which each item is shown: its own when no other item has that name, otherwise its exposed name. Names
 * are unique when exposed names are: an own name that is shown is never an exposed one. @param ownName the name at the server
 * @param exposedName the name in the catalog; unique
 */
export const nativeNames = <T>(
  items: readonly T[],
  ownName: (item: T) => string,
  exposedName: (item: T) => string,
): readonly string[] => {
  const uses = new Map<string, number>();
  for (const item of items) uses.set(ownName(item), (uses.get(ownName(item)) ?? 0) + 1);
  const exposed = new Set(items.map(exposedName));
  return items.map((item) => {
    const own = ownName(item);
    const isFree = uses.get(own) === 1 && !exposed.has(own) && !isReserved(own);
    return isFree ? own : exposedName(item);
  });
};
