import type { Principal } from '@gateway/call-contract';
import type { ContestedNames, ServerInventory } from '@gateway/catalog';
import type { PersonalOutcome, PersonalServer } from '../personal/personal-view.ts';
import type { ServerFeatures } from '../requests/server-features.ts';

/** A server with connections of persons. */
export interface PersonalFacts {
  readonly server: string;
  /** The features of its last connection; absent while they are unknown. */
  readonly features?: ServerFeatures;
}

/** The servers as one person sees them. */
export interface PersonalState {
  readonly servers: readonly PersonalServer[];
  /** The identifiers of the inventories of the person alone, sorted by name; absent for a person who sees what everybody sees. */
  readonly inventories?: readonly number[];
  /** The identifiers of the last inventories that the person alone has, of servers that are not connected. */
  readonly last: readonly number[];
  /** Present together with `inventories`. */
  readonly contested?: ContestedNames;
}

/** The functions for persons that the owner of the servers offers to another process. */
export interface PersonalContract {
  /** Prepares a person and returns what the person sees. */
  personalState(principal: Principal): Promise<PersonalState>;
  /** Returns the inventories of these identifiers; `null` for one that no person sees any more. Each is requested once. */
  personalInventories(ids: readonly number[]): Promise<readonly (ServerInventory | null)[]>;
  connectPersonal(server: string, principal: Principal): Promise<PersonalOutcome>;
  disconnectPersonal(server: string, principal: Principal): Promise<void>;
  /** Sends the keys of the persons whose servers change: `changing` after a change of a sign-in, before the connections follow it. */
  followPersons(
    listener: (principalKeys: readonly string[], state: 'changing' | 'changed') => void,
  ): () => void;
}
