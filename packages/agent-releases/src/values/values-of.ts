import type { HelmRelease, Json } from '../store/objects.ts';
import { at, mapOf } from './lenient.ts';

/** The values that a release spells out, as they are written; none where they are no map. */
export const valuesOf = (release: HelmRelease): Json => mapOf(at(release, 'spec', 'values'));
