/** A kind of object, and the folder that its files are in. */
export interface ManifestKind {
  readonly kind: 'HelmRelease' | 'OCIRepository';
  readonly group: string;
  readonly folder: string;
}

/** The kinds that are written. */
export const MANIFEST_KINDS = {
  HelmRelease: {
    kind: 'HelmRelease',
    group: 'helm.toolkit.fluxcd.io',
    folder: 'releases',
  },
  OCIRepository: {
    kind: 'OCIRepository',
    group: 'source.toolkit.fluxcd.io',
    folder: 'sources',
  },
} as const satisfies Readonly<Record<string, ManifestKind>>;
