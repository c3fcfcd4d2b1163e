import { REFUSALS, type Answer, type Refusal } from '@gateway/agent-manager-client';
import { at, textOf } from '../values/lenient.ts';
import type { AgentStore } from '../store/agent-store.ts';

/** Whether a namespace has this model configuration; where nobody lists any, it has every one. */
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
