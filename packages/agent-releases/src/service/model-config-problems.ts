import { REFUSALS, type Answer, type Refusal } from '@gateway/agent-manager-client';
import { at, textOf } from '../values/lenient.ts';
import type { AgentStore } from '../store/agent-store.ts';

/** Returns the problem of a model configuration that a namespace does not have. A namespace without a list accepts every name. */
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
