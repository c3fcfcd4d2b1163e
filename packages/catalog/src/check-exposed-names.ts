import type { CatalogTool } from './catalog-tool.ts';
import { toNameOwner, type CatalogWarning } from './catalog-warning.ts';
import {
  hasHiddenCharacters,
  LONG_EXPOSED_NAME_CHARS,
  MAX_EXPOSED_NAME_CHARS,
  removeHiddenCharacters,
} from './exposed-name.ts';

/** Warnings of one kind about one server or family. */
const MAX_WARNINGS = 20;

type NameWarning = Extract<
  CatalogWarning,
  { readonly code: 'tool.name-refused' | 'tool.name-long' }
>;

function findingOf(name: string): Pick<NameWarning, 'code' | 'finding'> | undefined {
  if (name.length > MAX_EXPOSED_NAME_CHARS) return { code: 'tool.name-refused', finding: 'length' };
  if (hasHiddenCharacters(name) || /[\t\r\n]/.test(name)) {
    return { code: 'tool.name-refused', finding: 'hidden-characters' };
  }
  return name.length > LONG_EXPOSED_NAME_CHARS
    ? { code: 'tool.name-long', finding: 'length' }
    : undefined;
}

export const isServedName = (name: string): boolean =>
  findingOf(name)?.code !== 'tool.name-refused';

/** Returns the beginning of a name, without characters that cannot be seen. */
export const truncateName = (name: string): string => {
  const visible = removeHiddenCharacters(name.slice(0, MAX_EXPOSED_NAME_CHARS));
  return name.length > MAX_EXPOSED_NAME_CHARS ? `${visible}...` : visible;
};

/** Returns the first warnings; the last of them counts the rest. */
export function truncateWarnings<W extends { readonly more?: number }>(
  warnings: readonly W[],
): readonly W[] {
  const reported = warnings.slice(0, MAX_WARNINGS);
  const more = warnings.length - reported.length;
  return more === 0
    ? reported
    : reported.map((one, index) => (index === reported.length - 1 ? { ...one, more } : one));
}

/**
 * Leaves the tools out that are not served because of their exposed names, and warns of them and of long names.
 *
 * @param tools of one server or one family
 */
export function checkExposedNames(tools: readonly CatalogTool[]): {
  readonly tools: readonly CatalogTool[];
  readonly warnings: readonly CatalogWarning[];
} {
  const refused: NameWarning[] = [];
  const long: NameWarning[] = [];
  const served = tools.filter((tool) => {
    const found = findingOf(tool.name);
    if (found === undefined) return true;
    const isLong = found.code === 'tool.name-long';
    (isLong ? long : refused).push({
      ...found,
      name: truncateName(tool.name),
      chars: tool.name.length,
      owner: toNameOwner(tool),
      servers: tool.providers.map(({ server }) => server),
    });
    return isLong;
  });
  return {
    tools: refused.length === 0 ? tools : served,
    warnings: [...truncateWarnings(refused), ...truncateWarnings(long)],
  };
}
