import type { GatewayEvent } from '@gateway/events';
import { type CatalogWarning, nameFault, ownerText } from './catalog-warning.ts';
import type { CatalogSnapshot } from './snapshot.ts';

/** Returns the events of a catalog warning; none for those that the log alone reports. @spec §6 */
export function warningEvents(warning: CatalogWarning): readonly GatewayEvent[] {
  switch (warning.code) {
    case 'tool.name-refused': {
      const error = nameFault(warning);
      return warning.servers.map((name) => ({
        reason: 'MCPServerToolNameRefused',
        ...{ name, tool: warning.name, error },
      }));
    }
    case 'tool.name-collision':
      return warning.servers.map((name) => ({
        reason: 'MCPServerToolNameConflict',
        ...{ name, tool: warning.name, keptBy: ownerText(warning.served) },
      }));
    case 'tool.name-long':
    case 'prompt.name-collision':
    case 'template.refused':
    case 'family.instance-arg-divergence':
    case 'family.description-divergence':
    case 'family.schema-divergence':
    case 'family.instance-arg-collision':
      return [];
  }
}

/** Returns the identity of a warning: a family that gains a member does not warn again. */
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
      return JSON.stringify([warning.code, warning.name, warning.served, warning.dropped]);
    case 'tool.name-refused':
    case 'tool.name-long':
      return JSON.stringify([warning.code, warning.name, warning.owner]);
    case 'template.refused':
      return JSON.stringify([warning.code, warning.template, warning.server]);
  }
}

/** The servers that must be connected for the warning to show again. */
function serversOf(warning: CatalogWarning): readonly string[] {
  switch (warning.code) {
    case 'family.instance-arg-divergence':
    case 'family.description-divergence':
    case 'family.schema-divergence':
    case 'family.instance-arg-collision':
    case 'tool.name-refused':
    case 'tool.name-long':
      return warning.servers;
    case 'tool.name-collision':
    case 'prompt.name-collision':
      return [warning.served, warning.dropped].flatMap(({ kind, name }) =>
        kind === 'server' ? [name] : [],
      );
    case 'template.refused':
      return [warning.server];
  }
}

/** Maximum number of remembered warnings; beyond it the oldest can be reported again. */
const MAX_REMEMBERED = 10_000;

/**
 * Makes the function that picks the warnings to log from each new snapshot: each once, however often its servers come
 * and go. One that is gone while all its servers are there is settled, and shows again when it comes back.
 */
export function warningsOnce(): (snapshot: CatalogSnapshot) => readonly CatalogWarning[] {
  const known = new Map<string, readonly string[]>();
  return (snapshot) => {
    const current = new Map(snapshot.warnings.map((warning) => [identityOf(warning), warning]));
    for (const [identity, servers] of known)
      if (!current.has(identity) && servers.every((server) => snapshot.serverLabels.has(server)))
        known.delete(identity);
    const fresh = [...current].filter(([identity]) => !known.has(identity));
    for (const [identity, warning] of fresh) known.set(identity, serversOf(warning));
    for (const identity of known.keys()) {
      if (known.size <= MAX_REMEMBERED) break;
      known.delete(identity);
    }
    return fresh.map(([, warning]) => warning);
  };
}
