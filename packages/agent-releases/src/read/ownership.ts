import type { KubernetesObject, ObjectName } from '../store/objects.ts';
import { at, textOf } from '../values/lenient.ts';

const HELM_NAME = 'helm.toolkit.fluxcd.io/name';
const HELM_NAMESPACE = 'helm.toolkit.fluxcd.io/namespace';
const KUSTOMIZATION_NAME = 'kustomize.toolkit.fluxcd.io/name';

const label = (object: KubernetesObject, key: string): string | undefined =>
  textOf(at(object, 'metadata', 'labels', key));

/** Returns the release that an Agent was rendered from, by the labels of Flux. */
export const labelledOwner = (agent: KubernetesObject): ObjectName | undefined => {
  const name = label(agent, HELM_NAME);
  const namespace = label(agent, HELM_NAMESPACE);
  return name === undefined || namespace === undefined ? undefined : { namespace, name };
};

/** Returns the Flux Kustomization that applies a release from a Git repository; undefined when there is none. */
export const kustomizationOf = (release: KubernetesObject): string | undefined =>
  label(release, KUSTOMIZATION_NAME);

/** Returns whether an object is being deleted and waits for its finalizers. */
export const isDeleting = (object: KubernetesObject): boolean =>
  textOf(at(object, 'metadata', 'deletionTimestamp')) !== undefined;

/** Returns whether a release is suspended. */
export const isSuspended = (release: KubernetesObject): boolean =>
  at(release, 'spec', 'suspend') === true;
