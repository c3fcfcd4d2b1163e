import type { HelmRelease } from '../store/objects.ts';
import { sourceNameOf } from './chart-ref.ts';
import { at, textOf } from '../values/lenient.ts';
import { isDeleting } from './ownership.ts';

/** The facts of a release that a list needs. */
export interface ReleaseFacts {
  /** Empty where it has none. */
  readonly name: string;
  /** The same for releases that have their chart from the same source. */
  readonly sourceKey: string;
  /** On its way out. */
  readonly isDeleting: boolean;
}

const remembered = new WeakMap<HelmRelease, ReleaseFacts>();

/** Returns the facts of a release, which are computed once per object. */
export const releaseFacts = (release: HelmRelease): ReleaseFacts => {
  const known = remembered.get(release);
  if (known !== undefined) return known;
  const source = sourceNameOf(release);
  const facts = {
    name: textOf(at(release, 'metadata', 'name')) ?? '',
    sourceKey: source === undefined ? '' : `${source.namespace}/${source.name}`,
    isDeleting: isDeleting(release),
  };
  remembered.set(release, facts);
  return facts;
};
