import type { KubernetesObject, ObjectName } from '../store/objects.ts';
import { at, textOf } from '../values/lenient.ts';

const HELM_NAME = 'helm.toolkit.fluxcd.io/name';
const HELM_NAMESPACE = 'helm.toolkit.fluxcd.io/namespace';
const KUSTOMIZATION_NAME = 'kustomize.toolkit.fluxcd.io/name';

const label = (object: KubernetesObject, key: string): string | undefined =>
  textOf(at(object, 'metadata', 'labels', key));

/** The release that Flux says it rendered an Agent from, by the labels that it puts there. */
export const labelledOwner = (agent: KubernetesObject): ObjectName | undefined => {
  const name = label(agent, HELM_NAME);
  const namespace = label(agent, HELM_NAMESPACE);
  return name === undefined || namespace === undefined ? undefined : { namespace, name };
};

/** The Flux Kustomization that applies a release from a Git repository; undefined when none does. */
export const kustomizationOf = (release: KubernetesObject): string | undefined =>
  label(release, KUSTOMIZATION_NAME);

/** Whether an object is on its way out: it is there until its finalizers are through. */
export const isDeleting = (object: KubernetesObject): boolean =>
  textOf(at(object, 'metadata', 'deletionTimestamp')) !== undefined;

/** Whether Flux does not act on a release at the moment. */
export const isSuspended = (release: KubernetesObject): boolean =>
  at(release, 'spec', 'suspend') === true;
