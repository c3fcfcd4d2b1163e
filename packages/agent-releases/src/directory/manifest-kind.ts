/** A kind of object and the folder of its files. */
export interface ManifestKind {
  readonly kind: 'HelmRelease' | 'OCIRepository';
  readonly group: string;
  readonly folder: string;
}

/** The kinds of objects with files. */
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
