import type { RegistryPackage } from '../format/server-schema.ts';
import type { InstallNote, InstallProblem } from '../problems/install-problem.ts';

/** https://github.com/opencontainers/distribution-spec, names, tags and digests. */
const IMAGE =
  /^((?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*)(?::([A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?(?:@(sha256:[a-f0-9]{64}))?$/u;

const DIGEST = /^sha256:[a-f0-9]{64}$/u;

/** A tag of one version or of one revision. `latest`, `main` and `stable` are none. */
const VERSION_TAG = /^(?:v?\d[\w.-]*|sha-[a-f0-9]{7,64}|[\w.-]*\d+\.\d+\.\d+[\w.-]*)$/u;

type PinnedImage =
  | { readonly ok: true; readonly reference: string; readonly notes: readonly InstallNote[] }
  | { readonly ok: false; readonly problem: InstallProblem };

const hasHost = (name: string): boolean => {
  const first = name.split('/')[0] ?? '';
  return name.includes('/') && (/[.:]/u.test(first) || first === 'localhost');
};

/** Older files name the host of the image apart from the image. */
const withHost = (name: string, url: string | undefined): string => {
  if (url === undefined || hasHost(name) || !URL.canParse(url)) return name;
  const { host } = new URL(url);
  return host === 'docker.io' ? name : `${host}/${name}`;
};

const tagged = (name: string, tag: string, notes: readonly InstallNote[]): PinnedImage => {
  if (DIGEST.test(tag)) return { ok: true, reference: `${name}@${tag}`, notes };
  if (!VERSION_TAG.test(tag))
    return { ok: false, problem: { code: 'floating-version', version: tag } };
  return {
    ok: true,
    reference: `${name}:${tag}`,
    notes: [...notes, { code: 'movable-tag', tag }],
  };
};

/** Returns an image with its digest, or with the tag of a version. */
export const pinImage = (entry: RegistryPackage, serverVersion: string): PinnedImage => {
  const { identifier, registryBaseUrl, version } = entry;
  const [, found, tag, digest] = IMAGE.exec(identifier) ?? [];
  if (found === undefined)
    return { ok: false, problem: { code: 'identifier', identifier, kind: 'oci' } };
  const name = withHost(found, registryBaseUrl);
  if (digest !== undefined) return { ok: true, reference: `${name}@${digest}`, notes: [] };
  if (tag !== undefined && tag !== 'latest') return tagged(name, tag, []);
  const named = version ?? tag;
  if (named !== undefined) return tagged(name, named, []);
  return tagged(name, serverVersion, [{ code: 'version-of-server', version: serverVersion }]);
};
