import type { HelmRelease } from '../store/objects.ts';
import { sourceNameOf } from './chart-ref.ts';
import { at, textOf } from '../values/lenient.ts';
import { isDeleting } from './ownership.ts';

/** What a list asks of every release. */
export interface ReleaseFacts {
  /** Empty where it has none. */
  readonly name: string;
  /** The same for releases that have their chart from the same source. */
  readonly sourceKey: string;
  /** On its way out. */
  readonly isDeleting: boolean;
}

const remembered = new WeakMap<HelmRelease, ReleaseFacts>();

/** What a list asks of a release, looked up once for each object. */
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
