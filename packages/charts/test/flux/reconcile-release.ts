import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClusterObject } from '@gateway/test-peers';
import { runHelm, type HelmRun } from '../../src/helm.ts';
import {
  holdObject,
  isDeleted,
  isObserved,
  releaseObject,
  writeStatus,
  type Condition,
  type Release,
  type Source,
  type ValuesReference,
} from './flux-objects.ts';
import type { FluxPlace } from './reconcile-source.ts';

const ORIGIN_LABELS = fileURLToPath(new URL('origin-labels.mjs', import.meta.url));

/** The output of `helm upgrade --output json`. */
interface Installed {
  readonly version: number;
  readonly info: {
    readonly status: string;
    readonly first_deployed: string;
    readonly last_deployed: string;
  };
  readonly chart: { readonly metadata: { readonly name: string; readonly version: string } };
}

const computeSha256 = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Returns the arguments with which Helm acts as the account of a release, else as the controller. */
const identityOf = async ({ cluster }: FluxPlace, { metadata, spec }: Release) => {
  const { serviceAccountName: account } = spec;
  if (account === undefined) return ['--kubeconfig', cluster.kubeconfig];
  const token = await cluster.serviceAccountToken(metadata.namespace, account);
  return ['--kubeconfig', await cluster.writeKubeconfig({ token })];
};

const referencedValues = async (
  { cluster }: FluxPlace,
  namespace: string,
  { kind, name, valuesKey = 'values.yaml' }: ValuesReference,
): Promise<string> => {
  const object = { apiVersion: 'v1', kind, metadata: { namespace, name } };
  const { data } = (await cluster.admin.read(object)) as ClusterObject & {
    readonly data: Readonly<Record<string, string>>;
  };
  const value = data[valuesKey] ?? '';
  return kind === 'Secret' ? Buffer.from(value, 'base64').toString() : value;
};

/** Returns the arguments for the values: those of references first, then those of the release, which win. */
const valuesArguments = async (place: FluxPlace, { metadata, spec }: Release) => {
  const folder = await mkdtemp(join(place.folder, 'values-'));
  const texts = [];
  for (const reference of spec.valuesFrom ?? [])
    texts.push(await referencedValues(place, metadata.namespace, reference));
  texts.push(JSON.stringify(spec.values ?? {}));
  const files = texts.map((_text, at) => join(folder, `${String(at)}.yaml`));
  for (const [at, file] of files.entries()) await writeFile(file, texts[at] ?? '');
  return files.flatMap((file) => ['--values', file]);
};

const upgrade = async (place: FluxPlace, release: Release, chart: string): Promise<HelmRun> => {
  const { namespace, name } = release.metadata;
  const labels = [namespace, name].flatMap((argument) => ['--post-renderer-args', argument]);
  return runHelm([
    ...['upgrade', '--install', name, chart, '--namespace', namespace, '--output', 'json'],
    ...['--post-renderer', ORIGIN_LABELS, ...labels],
    ...(await valuesArguments(place, release)),
    ...(await identityOf(place, release)),
  ]);
};

const snapshotOf = (release: Release, { version, info, chart }: Installed) => ({
  name: release.metadata.name,
  namespace: release.metadata.namespace,
  version,
  status: info.status,
  digest: computeSha256(JSON.stringify(info)),
  chartName: chart.metadata.name,
  chartVersion: chart.metadata.version,
  configDigest: computeSha256(JSON.stringify(release.spec.values)),
  firstDeployed: info.first_deployed,
  lastDeployed: info.last_deployed,
});

const install = async (
  { place, release }: { readonly place: FluxPlace; readonly release: Release },
  { url, revision }: { readonly url: string; readonly revision: string },
): Promise<void> => {
  const { history = [] } = release.status ?? {};
  const action = history.length === 0 ? 'install' : 'upgrade';
  const { namespace, name } = release.metadata;
  const named = action === 'install' ? 'Install' : 'Upgrade';
  const report = (run: Omit<Condition, 'type'>, past: readonly object[]) =>
    writeStatus(place.cluster, release, {
      conditions: ['Ready', 'Released'].map((type) => ({ type, ...run })),
      history: past,
      lastAttemptedRevision: revision,
      lastAttemptedReleaseAction: action,
    });
  const run = await upgrade(place, release, url.replace('file://', ''));
  if (run.code !== 0) {
    const message = `Helm ${action} failed for release ${namespace}/${name}: ${run.stderr.trim()}`;
    return report({ status: 'False', reason: `${named}Failed`, message }, history);
  }
  const installed = JSON.parse(run.stdout) as Installed;
  const { version, chart } = installed;
  const message = `Helm ${action} succeeded for release ${namespace}/${name}.v${String(version)} with chart ${chart.metadata.name}@${chart.metadata.version}`;
  const past = [snapshotOf(release, installed), ...history];
  return report({ status: 'True', reason: `${named}Succeeded`, message }, past);
};

const uninstall = async (place: FluxPlace, release: Release): Promise<void> => {
  const { namespace, name } = release.metadata;
  const { code, stderr } = await runHelm([
    ...['uninstall', name, '--namespace', namespace, '--ignore-not-found'],
    ...(await identityOf(place, release)),
  ]);
  if (code === 0) return releaseObject(place.cluster, release);
  const message = `Helm uninstall failed for release ${namespace}/${name}: ${stderr.trim()}`;
  const failed = { type: 'Ready', status: 'False', reason: 'UninstallFailed', message } as const;
  return writeStatus(place.cluster, release, { conditions: [failed] });
};

/** What the source of a release says about its chart. */
interface SourceReport {
  readonly name: string;
  /** Undefined when the chart is not ready. */
  readonly artifact: { readonly url: string; readonly revision: string } | undefined;
  readonly message: string;
}

const sourceReport = ({ metadata, spec }: Release, sources: readonly Source[]): SourceReport => {
  const { name, namespace = metadata.namespace } = spec.chartRef;
  const named = `${namespace}/${name}`;
  const status = sources.find(
    (source) => `${source.metadata.namespace}/${source.metadata.name}` === named,
  )?.status;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready === undefined) return { name: named, artifact: undefined, message: 'not found' };
  const artifact = ready.status === 'True' ? status?.artifact : undefined;
  return { name: named, artifact, message: ready.message };
};

/** Installs, changes or removes what a release describes and reports on it, as the Helm controller of Flux does. */
export const reconcileRelease = async (
  place: FluxPlace,
  release: Release,
  sources: readonly Source[],
): Promise<void> => {
  if (isDeleted(release)) return uninstall(place, release);
  const { name, artifact, message } = sourceReport(release, sources);
  if (isObserved(release) && release.status?.lastAttemptedRevision === artifact?.revision) return;
  await holdObject(place.cluster, release);
  if (artifact !== undefined) return install({ place, release }, artifact);
  const text = `OCIRepository '${name}' is not ready: ${message}`;
  return writeStatus(place.cluster, release, {
    conditions: [{ type: 'Ready', status: 'False', reason: 'SourceNotReady', message: text }],
    lastAttemptedRevision: null,
  });
};
