import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CertificateAuthority } from '../certificate-authority.ts';
import { formatKubeconfig } from '../kubeconfig.ts';

/** An OpenID provider whose tokens the API server accepts. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly clientId: string;
  /** The authority of the provider as PEM. */
  readonly ca: string;
}

export interface ClusterOptions {
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Without the watch cache, lists and watches read etcd. By default true. */
  readonly watchCache?: boolean;
  readonly oidc?: TrustedIssuer;
  /** Records requests, for `requests()`. By default false. */
  readonly audit?: boolean;
  /** Starts kube-controller-manager: garbage collection by owner, deletion of namespaces, and the service account `default`. By default false. */
  readonly controllerManager?: boolean;
}

export interface ClusterFiles {
  readonly folder: string;
  readonly ca: string;
  readonly caKey: string;
  readonly serverCert: string;
  readonly serverKey: string;
  readonly accountKey: string;
  readonly accountPublicKey: string;
  readonly authentication: string;
  readonly auditPolicy: string;
  readonly auditLog: string;
  readonly adminKubeconfig: string;
}

export const resolveClusterFiles = (folder: string): ClusterFiles => ({
  folder,
  ca: join(folder, 'ca.crt'),
  caKey: join(folder, 'ca.key'),
  serverCert: join(folder, 'server.crt'),
  serverKey: join(folder, 'server.key'),
  accountKey: join(folder, 'accounts.key'),
  accountPublicKey: join(folder, 'accounts.pub'),
  authentication: join(folder, 'authentication.json'),
  auditPolicy: join(folder, 'audit-policy.json'),
  auditLog: join(folder, 'audit.jsonl'),
  adminKubeconfig: join(folder, 'admin.kubeconfig'),
});

const SECRET = { mode: 0o600 };

const toAuthentication = (oidc: TrustedIssuer): object => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  jwt: [
    {
      issuer: { url: oidc.issuer, audiences: [oidc.clientId], certificateAuthority: oidc.ca },
      claimMappings: {
        username: { claim: 'sub', prefix: '' },
        groups: { claim: 'groups', prefix: '' },
      },
    },
  ],
});

/** Requests without their bodies, when they are answered. A watch is answered when it starts. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

const writeAccountKeys = async (files: ClusterFiles): Promise<void> => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' });
  await writeFile(files.accountKey, key, SECRET);
  await writeFile(files.accountPublicKey, publicKey.export({ type: 'spki', format: 'pem' }));
};

/** Writes keys, certificates and configuration of a new cluster. @param url of its API server */
export const writeClusterFiles = async (
  files: ClusterFiles,
  url: string,
  oidc: TrustedIssuer | undefined,
): Promise<void> => {
  await mkdir(files.folder, { recursive: true });
  const authority = await CertificateAuthority.create();
  const server = await authority.server();
  await writeFile(files.ca, authority.cert);
  await writeFile(files.caKey, authority.key, SECRET);
  await writeFile(files.serverCert, server.cert);
  await writeFile(files.serverKey, server.key, SECRET);
  await writeAccountKeys(files);
  await writeFile(files.auditPolicy, JSON.stringify(AUDIT_POLICY));
  if (oidc !== undefined)
    await writeFile(files.authentication, JSON.stringify(toAuthentication(oidc)));
  const admin = formatKubeconfig(
    url,
    await findUser(authority, 'admin', ['system:masters']),
    toCluster(authority.cert),
  );
  await writeFile(files.adminKubeconfig, admin, SECRET);
};

const encodePem = (pem: string): string => Buffer.from(pem).toString('base64');

export const findUser = async (
  authority: CertificateAuthority,
  name: string,
  groups: readonly string[],
): Promise<object> => {
  const { cert, key } = await authority.client(name, groups);
  return { 'client-certificate-data': encodePem(cert), 'client-key-data': encodePem(key) };
};

export const toCluster = (ca: string): object => ({ 'certificate-authority-data': encodePem(ca) });

export const readAuthority = async (files: ClusterFiles): Promise<CertificateAuthority> =>
  CertificateAuthority.open({
    cert: await readFile(files.ca, 'utf8'),
    key: await readFile(files.caKey, 'utf8'),
  });

export interface ClusterPorts {
  readonly etcd: number;
  readonly etcdPeers: number;
  readonly api: number;
  readonly controllers: number;
}

export const formatEtcdUrl = ({ etcd }: ClusterPorts): string => `http://127.0.0.1:${etcd}`;

export const formatApiUrl = ({ api }: ClusterPorts): string => `https://127.0.0.1:${api}`;

/** Returns the arguments of etcd. Nothing is synchronized to the disk: the data of a test does not outlive the machine. */
export const listEtcdArguments = (
  { folder }: ClusterFiles,
  ports: ClusterPorts,
): readonly string[] => {
  const peers = `http://127.0.0.1:${ports.etcdPeers}`;
  return [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${formatEtcdUrl(ports)}`,
    `--advertise-client-urls=${formatEtcdUrl(ports)}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
};

const listOptionalArguments = (files: ClusterFiles, options: ClusterOptions): readonly string[] => {
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

export const listApiServerArguments = (
  files: ClusterFiles,
  ports: ClusterPorts,
  options: ClusterOptions,
): readonly string[] => [
  `--etcd-servers=${formatEtcdUrl(ports)}`,
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  `--secure-port=${ports.api}`,
  `--cert-dir=${files.folder}`,
  `--tls-cert-file=${files.serverCert}`,
  `--tls-private-key-file=${files.serverKey}`,
  `--client-ca-file=${files.ca}`,
  '--authorization-mode=RBAC',
  `--service-account-issuer=${formatApiUrl(ports)}`,
  `--service-account-key-file=${files.accountPublicKey}`,
  `--service-account-signing-key-file=${files.accountKey}`,
  '--service-cluster-ip-range=10.0.0.0/24',
  '--allow-privileged=true',
  // Loopback addresses are refused as endpoints of the service `kubernetes`.
  '--endpoint-reconciler-type=none',
  ...listOptionalArguments(files, options),
];

export const listControllerArguments = (
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
