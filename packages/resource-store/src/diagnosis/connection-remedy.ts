import type { ApiFailure } from '@gateway/kube-client';

const CHECK_ADDRESS =
  'Check the address of the cluster in the kubeconfig, the network policies and that the API server runs.';

/** Next steps by error codes of Node. */
const CONNECTION_REMEDIES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Renew the certificate of the API server.',
  CERT_NOT_YET_VALID: 'Correct the clock of this machine or of the API server.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of the API server is for another name: use a name of the certificate as the address, or set tls-server-name in the kubeconfig.',
  ENOTFOUND: 'The name of the API server is unknown: check the address in the kubeconfig and DNS.',
  ...Object.fromEntries(
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_SIGNATURE_FAILURE',
    ].map((code) => [
      code,
      'The certificate of the API server is not of the authority in the kubeconfig: correct certificate-authority.',
    ]),
  ),
};

/** Returns the next step after a failure to use the API. */
export const connectionRemedy = (failure: ApiFailure): string => {
  if (failure.kind === 'broken')
    return Object.hasOwn(CONNECTION_REMEDIES, failure.code)
      ? (CONNECTION_REMEDIES[failure.code] ?? CHECK_ADDRESS)
      : CHECK_ADDRESS;
  if (failure.kind === 'no-credentials' || (failure.kind === 'refused' && failure.status === 401))
    return 'Check the user of the kubeconfig, or the service account of the pod: its token or certificate is missing, expired or of another cluster.';
  return CHECK_ADDRESS;
};
