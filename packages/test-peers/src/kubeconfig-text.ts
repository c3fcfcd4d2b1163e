/** Returns a kubeconfig with one cluster and one user, as JSON, which is YAML. */
export const kubeconfigText = (
  server: string,
  user: object = { token: 'token-of-the-test' },
  cluster: object = { 'insecure-skip-tls-verify': true },
): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server, ...cluster } }],
    users: [{ name: 'test', user }],
  });
