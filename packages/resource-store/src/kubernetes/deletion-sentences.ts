import type { ResourceKey, ResourceKind } from '../port/resource-key.ts';
import { sourceOf } from './interpret-object.ts';

/** Returns why an object cannot be created: its name is free again when its finalizers have ended. */
export const beingDeleted = (kind: ResourceKind, key: ResourceKey): string =>
  `${kind} ${sourceOf(key)} is still being deleted; try again when it is gone`;

/** Returns why an object was not deleted: the name has another object than the object that was read. */
export const createdAgain = (kind: ResourceKind, key: ResourceKey): string =>
  `${kind} ${sourceOf(key)} was deleted and created again meanwhile, and the new one is kept; try again to delete it`;
