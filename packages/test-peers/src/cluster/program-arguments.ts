import type { ClusterFiles } from './cluster-files.ts';
import type { ClusterOptions } from './cluster-options.ts';

/** The ports of a cluster. */
export interface ClusterPorts {
  readonly etcd: number;
  readonly etcdPeers: number;
  readonly api: number;
  readonly controllers: number;
}

/** Returns the address of etcd. */
export const etcdUrl = ({ etcd }: ClusterPorts): string => `http://127.0.0.1:${etcd}`;

/** Returns the address of the API server. */
export const apiUrl = ({ api }: ClusterPorts): string => `https://127.0.0.1:${api}`;

/** Returns the arguments of etcd. Nothing is synchronized to the disk: the data of a test does not outlive the machine. */
export const etcdArguments = ({ folder }: ClusterFiles, ports: ClusterPorts): readonly string[] => {
  const peers = `http://127.0.0.1:${ports.etcdPeers}`;
  return [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${etcdUrl(ports)}`,
    `--advertise-client-urls=${etcdUrl(ports)}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
};

const optionalArguments = (files: ClusterFiles, options: ClusterOptions): readonly string[] => {
  const gates = Object.entries(options.featureGates ?? {}).map(([name, on]) => `${name}=${on}`);
  return [
    ...(gates.length === 0 ? [] : [`--feature-gates=${gates.join(',')}`]),
    ...(options.watchCache === false ? ['--watch-cache=false'] : []),
    ...(options.oidc === undefined ? [] : [`--authentication-config=${files.authentication}`]),
    ...(options.audit === true
      ? [`--audit-policy-file=${files.auditPolicy}`, `--audit-log-path=${files.auditLog}`]
      : []),
    // Pods need the service account `default`, which only the controllers create.
    ...(options.controllerManager === true ? [] : ['--disable-admission-plugins=ServiceAccount']),
  ];
};

/** Returns the arguments of kube-apiserver. */
export const apiServerArguments = (
  files: ClusterFiles,
  ports: ClusterPorts,
  options: ClusterOptions,
): readonly string[] => [
  `--etcd-servers=${etcdUrl(ports)}`,
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  `--secure-port=${ports.api}`,
  `--cert-dir=${files.folder}`,
  `--tls-cert-file=${files.serverCert}`,
  `--tls-private-key-file=${files.serverKey}`,
  `--client-ca-file=${files.ca}`,
  '--authorization-mode=RBAC',
  `--service-account-issuer=${apiUrl(ports)}`,
  `--service-account-key-file=${files.accountPublicKey}`,
  `--service-account-signing-key-file=${files.accountKey}`,
  '--service-cluster-ip-range=10.0.0.0/24',
  '--allow-privileged=true',
  // Loopback addresses are refused as endpoints of the service `kubernetes`.
  '--endpoint-reconciler-type=none',
  ...optionalArguments(files, options),
];

/** Returns the arguments of kube-controller-manager. */
export const controllerArguments = (
  files: ClusterFiles,
  ports: ClusterPorts,
): readonly string[] => [
  `--kubeconfig=${files.adminKubeconfig}`,
  '--leader-elect=false',
  '--bind-address=127.0.0.1',
  `--secure-port=${ports.controllers}`,
  `--cert-dir=${files.folder}`,
  `--root-ca-file=${files.ca}`,
  `--service-account-private-key-file=${files.accountKey}`,
  '--controllers=*',
];
