import { goProgram } from '../go-program.ts';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('../../kubernetes', import.meta.url));

/** The version of `k8s.io/kubernetes` in go.mod. Without it the API server calls itself v0.0.0, which Helm's `kubeVersion` refuses. */
const VERSION = 'v1.34.4';
const [, MAJOR = '', MINOR = ''] = /^v(\d+)\.(\d+)/.exec(VERSION) ?? [];

const VERSION_FACTS = {
  gitVersion: VERSION,
  gitMajor: MAJOR,
  gitMinor: MINOR,
  gitTreeState: 'clean',
  gitCommit: '0'.repeat(40),
};
const LINK_FLAGS = Object.entries(VERSION_FACTS).map(
  ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
);

const TARGETS = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
} as const;

/** The programs of a cluster. */
export type KubernetesProgram = keyof typeof TARGETS;

/** The names of all programs. */
export const KUBERNETES_PROGRAMS = Object.keys(TARGETS) as readonly KubernetesProgram[];

/**
 * Returns the path of a program. The first build of all takes about five minutes and downloads 1.2 GB of libraries.
 * @throws {PeerMissing} without Go, or when the build fails
 */
export const kubernetesProgram = (name: KubernetesProgram): Promise<string> =>
  goProgram({ name, module: MODULE, target: TARGETS[name], linkFlags: LINK_FLAGS });
