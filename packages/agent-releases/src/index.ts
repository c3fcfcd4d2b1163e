export { agentChart, type AgentChart, type ChartSource } from './chart/agent-chart.ts';
export { helmRelease, manifestsOf, ociRepository, type ComposeParts } from './compose/manifests.ts';
export { agentListJson } from './read/agent-list-json.ts';
export { readAgent, type AgentObjects } from './read/read-agent.ts';
export { createAgentService } from './service/create-agent-service.ts';
export type { AgentService, AgentServiceParts, SkillSource } from './service/agent-service.ts';
export type { AgentStore, StoreChange } from './store/agent-store.ts';
export type {
  AgentResource,
  HelmRelease,
  Json,
  KubernetesObject,
  ModelConfig,
  ModelConfigs,
  ObjectName,
  OciRepository,
  Stored,
  Workload,
} from './store/objects.ts';
