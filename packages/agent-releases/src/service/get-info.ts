import type { Info } from '@gateway/agent-manager-client';
import { API_VERSIONS } from '../store/api-versions.ts';
import type { AgentService, AgentServiceParts } from './agent-service.ts';

const infoOf = ({
  version,
  chart,
  namespaces,
  flux,
  skills,
  identity = 'serviceAccount',
}: AgentServiceParts): Info => ({
  version,
  chart: {
    ociUrl: chart.ociUrl,
    semver: chart.semver,
    schemaVersion: chart.schemaVersion,
    schemaSource: chart.schemaSource,
  },
  namespaces: { default: namespaces[0], managed: [...namespaces] },
  capabilities: {
    list: true,
    get: true,
    create: true,
    update: true,
    delete: true,
    status: true,
    validate: true,
    modelConfigs: true,
    skills: skills !== undefined,
    writesAsCaller: identity === 'caller',
  },
  identity,
  apiVersions: { ...API_VERSIONS },
  flux: { ...flux },
  skillsRepositories: [...(skills?.repositories ?? [])],
});

/** Returns the managed namespaces and the capabilities. An operation whose capability is `false` is `unsupported`. */
export const getInfo =
  (parts: AgentServiceParts): AgentService['get_info'] =>
  () =>
    Promise.resolve({ ok: true, value: infoOf(parts) });
