import { REFUSALS, type Answer, type Refusal } from '@gateway/agent-manager-client';
import { at, textOf } from '../values/lenient.ts';
import type { AgentStore } from '../store/agent-store.ts';

/** Returns a refusal when the namespace does not have the model configuration. A namespace without any model configurations may accept every name. */
export const modelConfigProblems = async (
  store: AgentStore,
  namespace: string,
  modelConfig: string,
): Promise<Answer<readonly Refusal[]>> => {
  const models = await store.modelConfigs(namespace);
  if (!models.ok) return models;
  const { isOpen, listed } = models.value;
  const valid = listed.flatMap((model) => textOf(at(model, 'metadata', 'name')) ?? []).sort();
  const isKnown = isOpen || valid.includes(modelConfig);
  return {
    ok: true,
    value: isKnown ? [] : [REFUSALS.noModelConfig({ namespace, modelConfig, valid })],
  };
};
