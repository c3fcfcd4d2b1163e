import type { GatewayEvent } from '@gateway/events';
import { nameFault, ownerText, type CatalogWarning } from './catalog-warning.ts';

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
