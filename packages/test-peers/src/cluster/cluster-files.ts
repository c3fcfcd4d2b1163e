import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CertificateAuthority } from '../certificate-authority.ts';
import { kubeconfigText } from '../kubeconfig-text.ts';
import type { TrustedIssuer } from './cluster-options.ts';

/** Where the files of a cluster are, below its folder. */
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

/** Returns the paths in a folder. */
export const clusterFiles = (folder: string): ClusterFiles => ({
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

const authenticationOf = (oidc: TrustedIssuer): object => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  jwt: [
    {
      issuer: { url: oidc.issuer, audiences: [oidc.clientId], certificateAuthority: oidc.ca },
      claimMappings: {
        username: { claim: oidc.usernameClaim ?? 'sub', prefix: '' },
        groups: { claim: oidc.groupsClaim ?? 'groups', prefix: '' },
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
  const authority = new CertificateAuthority();
  const server = authority.server();
  await writeFile(files.ca, authority.cert);
  await writeFile(files.caKey, authority.key, SECRET);
  await writeFile(files.serverCert, server.cert);
  await writeFile(files.serverKey, server.key, SECRET);
  await writeAccountKeys(files);
  await writeFile(files.auditPolicy, JSON.stringify(AUDIT_POLICY));
  if (oidc !== undefined)
    await writeFile(files.authentication, JSON.stringify(authenticationOf(oidc)));
  const admin = kubeconfigText(
    url,
    userOf(authority, 'admin', ['system:masters']),
    clusterOf(authority.cert),
  );
  await writeFile(files.adminKubeconfig, admin, SECRET);
};

const encoded = (pem: string): string => Buffer.from(pem).toString('base64');

/** Returns a user of a kubeconfig with a client certificate. */
export const userOf = (
  authority: CertificateAuthority,
  name: string,
  groups: readonly string[],
): object => {
  const { cert, key } = authority.client(name, groups);
  return { 'client-certificate-data': encoded(cert), 'client-key-data': encoded(key) };
};

/** Returns the part of a kubeconfig that names the authority of the server. */
export const clusterOf = (ca: string): object => ({ 'certificate-authority-data': encoded(ca) });

/** Reads the authority of a cluster. */
export const readAuthority = async (files: ClusterFiles): Promise<CertificateAuthority> =>
  new CertificateAuthority({
    cert: await readFile(files.ca, 'utf8'),
    key: await readFile(files.caKey, 'utf8'),
  });
