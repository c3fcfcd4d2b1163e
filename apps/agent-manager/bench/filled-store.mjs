import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAMESPACE = 'default';

const release = (name) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: ${name}
  namespace: ${NAMESPACE}
  labels:
    app.kubernetes.io/managed-by: agent-manager
spec:
  interval: 10m
  chartRef:
    kind: OCIRepository
    name: agent
    namespace: ${NAMESPACE}
  values:
    agent:
      name: ${name}
      displayName: Agent ${name}
      description: Watches one part of the platform and tells its people what they should know.
      systemMessage: |
        You watch one part of the platform.
        Say what is wrong in one sentence, then what to do about it.
    modelConfig:
      name: small
    toolset: # narrowed on purpose
      - preset:read-only
      - server:files
`;

const source = `apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata:
  name: agent
  namespace: ${NAMESPACE}
  labels:
    app.kubernetes.io/managed-by: agent-manager
spec:
  interval: 30m
  url: oci://registry.gateway.internal/charts/agent
  ref:
    semver: x.x.x
`;

/** Name of the agent with this number among those that are there from the start. */
export const seededName = (number) => `agent-${String(number).padStart(5, '0')}`;

/** A directory of releases in a temporary place, with so many agents in it. */
export const filledStore = (agents) => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-manager-bench-'));
  const releases = join(directory, 'releases', NAMESPACE);
  const sources = join(directory, 'sources', NAMESPACE);
  for (const folder of [releases, sources]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(sources, 'agent.yaml'), source);
  for (let number = 0; number < agents; number += 1) {
    const name = seededName(number);
    writeFileSync(join(releases, `${name}.yaml`), release(name));
  }
  return {
    directory,
    /** Names of the files that hold a release, and of whatever else lies there. */
    files: () => readdirSync(releases),
    text: (name) => readFileSync(join(releases, `${name}.yaml`), 'utf8'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
