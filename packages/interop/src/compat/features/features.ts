import type { Feature } from './feature.ts';
import { META_FEATURES } from './meta-features.ts';
import { NATIVE_FEATURES } from './native-features.ts';

/** The features, in the order of the table. */
export const FEATURES: readonly Feature[] = [...META_FEATURES, ...NATIVE_FEATURES];
