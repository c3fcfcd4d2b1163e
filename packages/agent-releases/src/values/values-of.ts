import type { HelmRelease, Json } from '../store/objects.ts';
import { at, mapOf } from './lenient.ts';

/** Returns the values of a release; an empty object when they are not a map. */
export const valuesOf = (release: HelmRelease): Json => mapOf(at(release, 'spec', 'values'));
