import type { ServerFeatures } from '../requests/request-connection.ts';
import type { PersonalView } from './downstream.ts';
import type { FleetNames } from './fleet-names.ts';
import type { PersonalServers } from './personal-servers.ts';

const NO_FEATURES: ReadonlyMap<string, ServerFeatures> = new Map();
const NO_CONNECTIONS: ReadonlyMap<string, number> = new Map();

/**
 * Returns the view of a fleet by person.
 *
 * @param personal absent when every connection is shared
 */
export const createPersonalView = (
  personal: PersonalServers | undefined,
  names: FleetNames,
): PersonalView => ({
  inventoriesFor: (principal) => personal?.fleet.inventories(principal, () => names.inventories()),
  lastInventories: (principal) => {
    const shared = names.lastInventories();
    if (principal === undefined || personal === undefined) return shared;
    return personal.fleet.lastInventories(principal, shared);
  },
  contestedNamesIn: (inventories) => names.contestedIn(inventories),
  personal: (principal) => personal?.fleet.views(principal) ?? [],
  personalFeatures: () => personal?.fleet.features ?? NO_FEATURES,
  personalConnections: () => personal?.fleet.connections ?? NO_CONNECTIONS,
  connectPersonal: async (server, principal) =>
    personal === undefined
      ? { code: 'not-personal', server }
      : personal.fleet.connect(server, principal),
  disconnectPersonal: (server, principal) => personal?.fleet.disconnect(server, principal),
  prepare: (principal) => personal?.fleet.prepare(principal),
  onSignInChange: (listener) => personal?.fleet.onSignInChange(listener) ?? (() => undefined),
});
