import { fieldsOf } from '@gateway/kube-client';

/** The most characters of a name that a client of the API chose, in a sentence. */
const MAX_NAME_CHARS = 253;

const quoted = (name: unknown): string =>
  typeof name === 'string' ? ` ${JSON.stringify(name.slice(0, MAX_NAME_CHARS))}` : '';

const controllerOf = ({
  ownerReferences,
}: Readonly<Record<string, unknown>>): string | undefined => {
  const references = Array.isArray(ownerReferences) ? ownerReferences.map(fieldsOf) : [];
  const controller = references.find((reference) => reference['controller'] === true);
  return controller && `${String(controller['kind'])}${quoted(controller['name'])}`;
};

/** The labels and annotations with which tools mark their objects, and what each names. */
const MARKS = [
  ['labels', 'kustomize.toolkit.fluxcd.io/name', 'the Kustomization'],
  ['labels', 'helm.toolkit.fluxcd.io/name', 'the HelmRelease'],
  ['annotations', 'meta.helm.sh/release-name', 'the Helm release'],
  ['annotations', 'argocd.argoproj.io/tracking-id', 'the Argo CD application'],
] as const;

/**
 * Returns the controller or the tool that an object belongs to, for a sentence; undefined for an object of its own. It would create a deleted
 * object again, as soon as it compares it with its source.
 */
export const ownerOf = (metadata: unknown): string | undefined => {
  const fields = fieldsOf(metadata);
  const controller = controllerOf(fields);
  if (controller !== undefined) return controller;
  for (const [place, key, subject] of MARKS) {
    const marks = fieldsOf(fields[place]);
    if (Object.hasOwn(marks, key)) return `${subject}${quoted(marks[key])}`;
  }
  return undefined;
};
