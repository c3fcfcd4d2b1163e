export { agentChart, type AgentChart } from './chart/agent-chart.ts';
export { agentListJson } from './read/agent-list-json.ts';
export { createAgentService } from './service/create-agent-service.ts';
export type { AgentService, AgentServiceParts, SkillSource } from './service/agent-service.ts';
export type { AgentStore, StoreChange } from './store/agent-store.ts';
export type {
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
