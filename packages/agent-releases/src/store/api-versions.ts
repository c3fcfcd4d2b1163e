/** Versions of the kinds that agents are made of. */
export const API_VERSIONS = {
  agent: 'kagent.dev/v1alpha2',
  modelConfig: 'kagent.dev/v1alpha2',
  helmRelease: 'helm.toolkit.fluxcd.io/v2',
  ociRepository: 'source.toolkit.fluxcd.io/v1',
} as const;
