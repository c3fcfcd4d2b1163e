export type { AgentChart } from './chart/agent-chart.ts';
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
