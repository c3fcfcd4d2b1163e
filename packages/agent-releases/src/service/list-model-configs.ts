import { readModelConfig } from '../read/model-config.ts';
import type { AgentService, AgentServiceParts } from './agent-service.ts';
import { managedNamespace } from './managed-agent.ts';

/** Lists the models that agents of a namespace may use; empty when every name is accepted. */
export const listModelConfigs =
  (parts: AgentServiceParts): AgentService['list_model_configs'] =>
  async (draft) => {
    const namespace = managedNamespace(parts, draft.namespace);
    if (!namespace.ok) return namespace;
    const configs = await parts.store.modelConfigs(namespace.value);
    return configs.ok
      ? { ok: true, value: { modelConfigs: configs.value.listed.map(readModelConfig) } }
      : configs;
  };
